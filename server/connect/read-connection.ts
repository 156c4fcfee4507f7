import type { readConnection as endpoint } from '../../contract/connected-apps.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Db } from '../db/pool.ts';
import { badRequest } from '../http/refusal.ts';
import type { Request } from '../http/request.ts';
import { showApp } from '../keys/connected-app.ts';
import { showId } from '../lib/id.ts';
import type { Signer } from '../lib/signer.ts';
import { findClientName } from './client.ts';
import { readRequest } from './app-request.ts';

export async function readConnection(
  { db, signer }: { db: Db; signer: Signer },
  { caller, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const asked = readRequest(signer, query.request);
  const name = asked && (await findClientName(db, asked.clientId));
  if (!asked || name === null) throw badRequest('request', 'is no request of an app, or is over');
  return {
    status: 200,
    body: {
      app: showApp(asked.clientId, name),
      redirect_host: new URL(asked.redirectUri).host || new URL(asked.redirectUri).protocol,
      scopes: asked.scopes,
      accounts: await accountsOf(db, caller.userId),
      expires_at: asked.expiresAt.toISOString(),
    },
  };
}

async function accountsOf(db: Db, userId: string) {
  const rows = await db
    .selectFrom('members as member')
    .innerJoin('accounts as account', 'account.id', 'member.account_id')
    .where('member.user_id', '=', userId)
    .orderBy('member.opened_at', 'desc')
    .select(['account.id', 'account.name', 'account.suspended_since', 'member.role'])
    .execute();
  return rows.map(({ id, name, suspended_since, role }) => ({
    id: showId('acct', id),
    name,
    may_order: role !== 'member',
    suspended: suspended_since !== null,
  }));
}
