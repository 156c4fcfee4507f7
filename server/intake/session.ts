import type { Static } from 'typebox';
import { type Selectable, sql } from 'kysely';
import {
  type IntakeListItem,
  type IntakeMessage,
  type IntakeSession,
  mostOpenSessions,
} from '../../contract/ordering/intake-session.ts';
import type { IntentBrief } from '../../contract/jobs/brief.ts';
import { studioNames, valuesOf } from '../../contract/jobs/optional-fields.ts';
import type { Catalog, Family } from '../catalog/catalog.ts';
import type { Db, Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { Cause } from '../http/request.ts';
import { newId, readId, showId } from '../lib/id.ts';
import { type Created, creatorColumns, showCreator } from '../members/creator.ts';
import type { IntakeMessages, IntakeSessions } from '../tables.ts';
import { settleNews } from '../notifications/notification.ts';
import { briefOf, conflict, refuseUnkeepable } from './brief.ts';
import type { Exchange } from './conversation.ts';
import { answersOf, type Draft, familyOf, missingIn, openIn, optionOf, suggestionsOf, takesBrand } from './draft.ts';
import { suggestedReplies } from './reply.ts';

export type SessionStatus = Static<typeof IntakeSession>['status'];
export type SessionRow = Omit<Selectable<IntakeSessions>, 'draft' | 'brief' | keyof Created> &
  Created & {
    draft: Draft;
    brief: IntentBrief | null;
    expired: boolean;
  };
type MessageRow = Selectable<IntakeMessages>;
type Families = Pick<Catalog, 'families'>;

/** For statements that read `intake_sessions`. */
export const startedBy = creatorColumns('intake_sessions');
export const isExpired = sql<boolean>`(expires_at <= now() and status in ('open', 'brief_ready'))`;

/** With `lock`, changes of the session are processed one after the other. */
export async function ownedSession(db: Db | Trx, accountId: string, id: string, lock = false): Promise<SessionRow> {
  const { rows } = await sql<SessionRow>`
    select *, ${isExpired} as expired, ${startedBy} from intake_sessions
    where account_id = ${accountId} and id = ${readId('ise', id)} ${lock ? sql`for update` : sql``}`.execute(db);
  if (!rows[0]) throw new Refusal('intake_session_not_found');
  return rows[0];
}

export async function insertSession(
  trx: Trx,
  account_id: string,
  draft: Draft,
  { userId, apiKeyId }: Cause,
): Promise<SessionRow> {
  const { rows } = await sql<SessionRow>`
    insert into intake_sessions (account_id, id, status, draft, created_by_user, created_by_key)
    values (${account_id}, ${newId()}, 'open', ${JSON.stringify(draft)}, ${userId}, ${apiKeyId})
    returning *, false as expired, ${startedBy}`.execute(trx);
  return rows[0]!;
}

/** The account's counters are locked, so that sessions opened at the same time are counted. */
export async function refuseTooMany(trx: Trx, accountId: string): Promise<void> {
  const { rows: open } = await sql<{ id: string }>`
    select id from intake_sessions
    where account_id = ${accountId} and status in ('open', 'brief_ready') and not ${isExpired}
    order by expires_at`.execute(trx);
  const [oldest] = open;
  if (oldest && open.length >= mostOpenSessions)
    throw new Refusal('limit_reached', {
      message: `The account has ${open.length} open conversations, which is the limit.`,
      action: `Confirm or close one of them, such as ${showId('ise', oldest.id)}: POST /api/v1/intake/sessions/{id}/close.`,
    });
}

/** A draft that can be confirmed as it is. */
export async function insertReadySession(
  trx: Trx,
  account_id: string,
  { draft, brief }: { draft: Draft; brief: IntentBrief },
  cause: Cause,
): Promise<string> {
  const { id } = await insertSession(trx, account_id, draft, cause);
  await sql`
    update intake_sessions set status = 'brief_ready', brief = ${JSON.stringify(brief)}
    where account_id = ${account_id} and id = ${id}`.execute(trx);
  return id;
}

/** Stores a changed draft with its brief; refuses what no job could hold. */
export async function saveDraft(
  trx: Trx,
  family: Family,
  session: SessionRow,
  draft: Draft,
  location: `/${string}`,
): Promise<SessionRow> {
  refuseUnkeepable(family, draft, location);
  const brief = briefOf(family, draft, session.created_at);
  const status = brief ? 'brief_ready' : 'open';
  await sql`
    update intake_sessions set status = ${status}, last_seq = ${session.last_seq}, draft = ${JSON.stringify(draft)},
      brief = ${brief && JSON.stringify(brief)}
    where account_id = ${session.account_id} and id = ${session.id}`.execute(trx);
  return { ...session, status, draft, brief };
}

/** Ends a session, with the job that it has become. An order of it waits no longer. */
export async function endSession(
  trx: Trx,
  session: SessionRow,
  status: 'closed' | 'confirmed',
  job_id: string | null,
): Promise<SessionRow> {
  const { account_id: accountId, id } = session;
  const { rows } = await sql<{ id: string }>`
    with ended as (
      update intake_sessions set status = ${status}, job_id = ${job_id}
      where account_id = ${accountId} and id = ${id})
    select id from orders where account_id = ${accountId} and session_id = ${id} and status = 'waiting'`.execute(trx);
  const waiting = rows.map((order) => order.id);
  await settleNews(trx, accountId, 'order_waiting', waiting);
  return { ...session, status, job_id, expired: false };
}

/** Stores a message, its reply and the draft that it led to. */
export async function saveExchange(
  trx: Trx,
  family: Family,
  session: SessionRow,
  said: string | undefined,
  { draft, reply, understood }: Exchange,
  location: `/${string}`,
) {
  const messages = [
    ...(said === undefined ? [] : [{ role: 'customer', content: said, understood: '[]' }]),
    { role: 'concierge', content: reply, understood: JSON.stringify(understood) },
  ];
  const { account_id, id: session_id, last_seq } = session;
  const rows = await trx
    .insertInto('intake_messages')
    .values(messages.map((message, i) => ({ account_id, session_id, seq: last_seq + i + 1, id: newId(), ...message })))
    .returningAll()
    .execute();
  const saved = await saveDraft(trx, family, { ...session, last_seq: last_seq + rows.length }, draft, location);
  return { saved, message: showMessage(rows.at(-1)!) };
}

const showMessage = (message: MessageRow): Static<typeof IntakeMessage> => ({
  id: showId('msg', message.id),
  role: message.role as 'customer' | 'concierge',
  content: message.content,
  understood: message.understood as { requirement: string; answer: string }[],
  created_at: message.created_at.toISOString(),
});

export function showListedSession(catalog: Families, session: SessionRow): Static<typeof IntakeListItem> {
  const family = familyOf(catalog, session.draft);
  const draft = currentDraft(family, session.draft);
  const status = session.expired ? 'expired' : (session.status as SessionStatus);
  const talks = status === 'open' || status === 'brief_ready';
  return {
    id: showId('ise', session.id),
    status,
    service_family: draft.service_family,
    service_type: draft.service_type,
    version: draft.version,
    answers: answersOf(family, draft),
    suggestions: suggestionsOf(family, draft),
    missing_intake_requirements: family ? missingIn(family, draft) : [],
    open_requirements: openIn(family, draft),
    file_ids: draft.files.map(({ id }) => id),
    customer_title: draft.title,
    ...valuesOf(studioNames, draft),
    brand_kit: takesBrand(draft),
    words: draft.words,
    suggested_replies: family && talks ? suggestedReplies(family, draft) : [],
    intent_brief: session.brief,
    job_id: session.job_id && showId('job', session.job_id),
    expires_at: session.expires_at.toISOString(),
    created_by: showCreator(session),
    created_at: session.created_at.toISOString(),
  };
}

export async function showSession(
  db: Db | Trx,
  catalog: Families,
  session: SessionRow,
): Promise<Static<typeof IntakeSession>> {
  const { rows } = await sql<MessageRow>`
    select * from intake_messages where account_id = ${session.account_id} and session_id = ${session.id}
    order by seq`.execute(db);
  const shown = showListedSession(catalog, session);
  return { ...shown, messages: rows.map(showMessage), next_action: nextAction(shown) };
}

function nextAction({ id, status, job_id, intent_brief }: Static<typeof IntakeListItem>): string {
  const path = `/api/v1/intake/sessions/${id}`;
  if (status === 'open') return `Answer with POST ${path}/messages or set a field with POST ${path}/answers to go on.`;
  if (status === 'brief_ready')
    return `Show the brief to your user. Confirm it with POST ${path}/confirm and brief_version ${intent_brief?.version}.`;
  return job_id ? `Follow the job with GET /api/v1/jobs/${job_id} to see where it stands.` : openAnother;
}

const openAnother = 'Open a new conversation with POST /api/v1/intake/sessions.';

const endings: Record<string, [message: string, action: string]> = {
  confirmed: [
    'This conversation is confirmed and has become a job.',
    `Follow the job that job_id names. ${openAnother}`,
  ],
  closed: ['This conversation is closed.', openAnother],
  expired: ['This conversation expired thirty days after it was opened.', openAnother],
};

export function refuseEnded({ status, expired }: SessionRow): void {
  const ending = endings[expired ? 'expired' : status];
  if (ending) throw conflict(...ending);
}

/** Drops an option that the current catalog no longer offers. */
const currentDraft = (family: Family | null, draft: Draft): Draft =>
  family === null || optionOf(family, draft) ? draft : { ...draft, service_type: null };

/** The session of a change, with its family and draft in the current catalog. */
export async function sessionToChange(db: Db | Trx, catalog: Catalog, accountId: string, id: string, lock = true) {
  const session = await ownedSession(db, accountId, id, lock);
  refuseEnded(session);
  const family = familyOf(catalog, session.draft);
  if (!family) throw conflict('The service of this conversation is no longer offered.', openAnother);
  return { session, family, draft: currentDraft(family, session.draft) };
}
