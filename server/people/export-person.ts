import type { AnswerOf } from '../../contract/endpoint.ts';
import type { exportPerson as endpoint } from '../../contract/sessions.ts';
import { appendAuditOnce } from '../audit/append-audit.ts';
import { transact } from '../db/transact.ts';
import type { Db } from '../db/pool.ts';
import type { Person } from '../http/caller.ts';
import type { Request } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import { sessionsOf, showSession } from '../sign-in/listed-session.ts';
import { showUser } from '../sign-in/person.ts';

export async function exportPerson(
  { db }: { db: Db },
  { caller, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { userId } = caller;
  const subject = showId('user', userId);
  const exported = { action: 'user.exported', subject, accountId: null } as const;
  await transact(db, (trx) => appendAuditOnce(trx, cause, exported));
  const { created_at } = await db
    .selectFrom('auth.user')
    .select('created_at')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const sessions = await sessionsOf(db, caller).orderBy('created_at').execute();
  return {
    status: 200,
    body: {
      user: {
        ...showUser({ ...caller, id: userId }),
        second_factor: caller.secondFactor,
        created_at: created_at.toISOString(),
      },
      sessions: sessions.map((row) => showSession(row, caller)),
      memberships: await membershipsOf(db, caller),
      invitations_sent: await invitationsBy(db, caller),
      api_keys: await keysBy(db, caller),
      jobs: await jobsBy(db, caller),
    },
  };
}

async function membershipsOf(db: Db, { userId }: Person) {
  const rows = await db
    .selectFrom('auth.member as member')
    .innerJoin('auth.account as account', 'account.id', 'member.account_id')
    .where('member.user_id', '=', userId)
    .orderBy('member.created_at')
    .select(['account.id', 'account.name', 'member.role', 'member.created_at'])
    .execute();
  return rows.map(({ id, name, role, created_at }) => ({
    account: { id: showId('acct', id), name },
    role,
    created_at: created_at.toISOString(),
  }));
}

async function invitationsBy(db: Db, { userId }: Person) {
  const rows = await db
    .selectFrom('auth.invitation')
    .where('inviter_id', '=', userId)
    .orderBy('created_at')
    .select(['id', 'email', 'role', 'created_at'])
    .execute();
  return rows.map((row) => ({ ...row, id: showId('inv', row.id), created_at: row.created_at.toISOString() }));
}

async function keysBy(db: Db, { userId }: Person) {
  const rows = await db
    .selectFrom('api_keys')
    .where('created_by', '=', userId)
    .orderBy('created_at')
    .select(['id', 'name', 'prefix', 'created_at'])
    .execute();
  return rows.map((row) => ({ ...row, id: showId('key', row.id), created_at: row.created_at.toISOString() }));
}

/** Jobs in accounts that they have left belong to the account. */
async function jobsBy(db: Db, { userId }: Person) {
  const rows = await db
    .selectFrom('jobs')
    .innerJoin('auth.member as member', 'member.account_id', 'jobs.account_id')
    .where('member.user_id', '=', userId)
    .where('jobs.created_by_user', '=', userId)
    .orderBy('jobs.created_at')
    .select([
      'jobs.id',
      'jobs.customer_title',
      'jobs.customer_instructions',
      'jobs.reference',
      'jobs.metadata',
      'jobs.status',
      'jobs.created_at',
    ])
    .execute();
  return rows.map((row) => ({ ...row, id: showId('job', row.id), created_at: row.created_at.toISOString() }));
}
