import { mostOpenSessions, type openIntake as endpoint } from '../../contract/intake.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Catalog, type Family, findFamily, findService } from '../catalog/catalog.ts';
import { lockAccount } from '../db/lock-account.ts';
import type { Trx, Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { Request } from '../http/request.ts';
import { newId, showId } from '../lib/id.ts';
import { unsafe } from '../safety/policy.ts';
import { refuseUnkeepable } from './brief.ts';
import { converse, greet, type Exchange } from './conversation.ts';
import { mentionedFiles } from './mentioned-files.ts';
import { isExpired, recordMessages, type SessionRow, showSession } from './session.ts';
import { newState } from './state.ts';
import type { Model } from './model.ts';
import { earlierAnswer, withIdempotencyKey } from '../db/idempotency.ts';

type Dependencies = { db: Db; catalog: Catalog; model: Model | null };
type Opening = Request<typeof endpoint>['body'];

export async function openIntake(
  { db, catalog, model }: Dependencies,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const {
    caller: { accountId },
    body,
    cause,
  } = request;
  const earlier = await earlierAnswer<AnswerOf<typeof endpoint>>(db, request);
  if (earlier) return earlier;
  const family = familyAskedFor(catalog, body);
  const exchange = await firstTurn({ db, catalog, model }, family, accountId, body);
  return withIdempotencyKey(db, request, async (trx) => {
    await refuseTooMany(trx, accountId);
    const said = body.message === undefined ? [] : [{ role: 'customer' as const, content: body.message }];
    const reply = { role: 'concierge' as const, content: exchange.reply, understood: exchange.understood };
    const session = await insertSession(trx, accountId, family, exchange, said.length + 1);
    await recordMessages(trx, session, 0, [...said, reply]);
    const subject = showId('ise', session.id);
    await appendAudit(trx, cause, { action: 'intake.opened', subject, accountId });
    return { status: 201, body: { intake_session: await showSession(trx, catalog, session) } };
  });
}

function familyAskedFor(catalog: Catalog, { service_family, service_type }: Opening): Family {
  const session =
    service_type === undefined
      ? findFamily(catalog, service_family)
      : findService(catalog, service_family, service_type);
  if (session instanceof Refusal) throw session;
  return 'family' in session ? session.family : session;
}

/** No lock is held while the model answers. */
async function firstTurn(
  { db, catalog, model }: Dependencies,
  family: Family,
  accountId: string,
  { service_type, message }: Opening,
): Promise<Exchange> {
  const serviceType = service_type ?? null;
  if (message === undefined) return greet(family, serviceType);
  const danger = unsafe([['/message', message]]);
  if (danger) throw danger;
  const state = newState(family, serviceType);
  const files = await mentionedFiles(db, accountId, message);
  const proposal = model && (await model.serves(accountId)) ? await model.propose(family, state, [], message) : null;
  const exchange = converse(catalog, family, state, { text: message, files, proposal, opening: true });
  refuseUnkeepable(family, exchange, '/message');
  return { ...exchange, reply: `Hello! ${exchange.reply}` };
}

/** Locks the account's counters, so that sessions opened at the same time are counted. */
async function refuseTooMany(trx: Trx, accountId: string): Promise<void> {
  await lockAccount(trx, accountId);
  const open = await trx
    .selectFrom('intake_sessions')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', 'in', ['open', 'brief_ready'])
    .where((row) => row.not(isExpired))
    .orderBy('expires_at')
    .execute();
  const [oldest] = open;
  if (oldest && open.length >= mostOpenSessions)
    throw new Refusal('limit_reached', {
      message: `The account has ${open.length} open conversations, which is the limit.`,
      action: `Confirm or close one of them, such as ${showId('ise', oldest.id)}: POST /api/v1/intake/sessions/{id}/close.`,
    });
}

async function insertSession(
  trx: Trx,
  accountId: string,
  family: Family,
  { state, brief }: Exchange,
  messages: number,
): Promise<SessionRow> {
  const row = await trx
    .insertInto('intake_sessions')
    .values({
      id: newId(),
      account_id: accountId,
      status: brief ? 'brief_ready' : 'open',
      service_family: family.id,
      state: JSON.stringify(state),
      brief: brief && JSON.stringify(brief),
      last_seq: messages,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...row, state, brief, expired: false };
}
