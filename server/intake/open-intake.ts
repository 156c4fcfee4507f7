import { sql } from 'kysely';
import { mostOpenSessions, type openIntake as endpoint } from '../../contract/intake.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Request } from '../http/request.ts';
import { type Catalog, type Family, findFamily, findService } from '../catalog/catalog.ts';
import { unsafe } from '../safety/policy.ts';
import type { Db, Trx } from '../db/pool.ts';
import { newId, showId } from '../lib/id.ts';
import { Refusal } from '../http/refusal.ts';
import { greet, greetBack, type Turn } from './conversation.ts';
import { mentionedFiles } from './mentioned-files.ts';
import type { Model } from './model.ts';
import { conflict, recordMessages, type SessionRow, showSession } from './session.ts';
import { cannotKeep } from './take-message.ts';
import { newTalk } from './talk.ts';

/** Opens a conversation: the concierge greets, or answers what the customer began with. */
export async function openIntake(
  db: Db,
  catalog: Catalog,
  model: Model | null,
  { caller, body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { accountId } = caller;
  const family = familyAsked(catalog, body);
  const turn = await firstTurn(db, catalog, model, family, accountId, body);
  return db.transaction().execute(async (trx) => {
    await refuseTooMany(trx, accountId);
    const said = body.message === undefined ? [] : [{ role: 'customer' as const, content: body.message }];
    const lines = [...said, { role: 'concierge' as const, content: turn.reply }];
    const session = await insertSession(trx, accountId, family, turn, lines.length);
    await recordMessages(trx, session, 0, lines);
    return { status: 201, body: { session: await showSession(trx, catalog, session) } };
  });
}

type Asked = Request<typeof endpoint>['body'];

function familyAsked(catalog: Catalog, { service_family, service_type }: Asked): Family {
  const found =
    service_type === undefined
      ? findFamily(catalog, service_family)
      : findService(catalog, service_family, service_type);
  if (found instanceof Refusal) throw found;
  return 'family' in found ? found.family : found;
}

/** No lock is held while a model thinks. */
async function firstTurn(
  db: Db,
  catalog: Catalog,
  model: Model | null,
  family: Family,
  accountId: string,
  { service_type, message }: Asked,
): Promise<Turn> {
  const serviceType = service_type ?? null;
  if (message === undefined) return greet(family, serviceType);
  const danger = unsafe(catalog, [['/message', message]]);
  if (danger) throw danger;
  const files = await mentionedFiles(db, accountId, message);
  const proposal = (await model?.propose(family, newTalk(family, serviceType), [], message)) ?? null;
  const turn = greetBack(catalog, family, serviceType, { message, files, proposal });
  const refusal = cannotKeep(catalog, family, turn, '/message');
  if (refusal) throw refusal;
  return turn;
}

/**
 * The account's counters are locked first, so that sessions opened at once are counted one after the other. A conflict
 * and no 429: what lasts for days is not to be waited out by clients that try again by themselves.
 */
async function refuseTooMany(trx: Trx, accountId: string): Promise<void> {
  const counters = trx.selectFrom('account_counters').select('account_id').where('account_id', '=', accountId);
  await counters.forNoKeyUpdate().execute();
  const open = await trx
    .selectFrom('intake_sessions')
    .select(['id', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('status', 'in', ['open', 'brief_ready'])
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('expires_at')
    .execute();
  const [oldest] = open;
  if (oldest && open.length >= mostOpenSessions)
    throw conflict(
      `The account has ${open.length} open conversations, the most it may have.`,
      `Continue one of them, such as ${showId('ise', oldest.id)}, and confirm its brief; that one expires at ${oldest.expires_at.toISOString()}.`,
    );
}

async function insertSession(
  trx: Trx,
  accountId: string,
  family: Family,
  { talk, brief }: Turn,
  messages: number,
): Promise<SessionRow> {
  const row = await trx
    .insertInto('intake_sessions')
    .values({
      id: newId(),
      account_id: accountId,
      status: brief ? 'brief_ready' : 'open',
      service_family: family.id,
      talk: JSON.stringify(talk),
      brief: brief && JSON.stringify(brief),
      last_seq: messages,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...row, talk, brief, over: false };
}
