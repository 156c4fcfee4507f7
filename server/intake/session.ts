import type { Static } from 'typebox';
import { type Selectable, sql } from 'kysely';
import type { IntakeListItem, IntakeMessage, IntakeSession } from '../../contract/intake.ts';
import type { IntentBrief } from '../../contract/job.ts';
import type { Catalog, Family } from '../catalog/catalog.ts';
import type { Db, Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { newId, readId, showId } from '../lib/id.ts';
import type { Answer } from '../requirements/find-answers.ts';
import type { IntakeMessages, IntakeSessions } from '../tables.ts';
import { suggestedReplies } from './commands.ts';
import { currentState, missingOf, questionOf, type State } from './state.ts';

export type SessionStatus = Static<typeof IntakeSession>['status'];
export type SessionRow = Omit<Selectable<IntakeSessions>, 'state' | 'brief'> & {
  state: State;
  brief: IntentBrief | null;
  expired: boolean;
};
type MessageRow = Selectable<IntakeMessages>;

export const isExpired = sql<boolean>`(expires_at <= now() and status in ('open', 'brief_ready'))`;

const statusOf = ({ status, expired }: SessionRow): SessionStatus => (expired ? 'expired' : (status as SessionStatus));

/** With `lock`, messages of the session are processed one after the other. */
export async function ownedSession(db: Db | Trx, accountId: string, id: string, lock = false): Promise<SessionRow> {
  const uuid = readId('ise', id);
  const session =
    uuid &&
    (await db
      .selectFrom('intake_sessions')
      .selectAll()
      .select(isExpired.as('expired'))
      .where('account_id', '=', accountId)
      .where('id', '=', uuid)
      .$if(lock, (rows) => rows.forUpdate())
      .executeTakeFirst());
  if (!session) throw new Refusal('intake_session_not_found');
  return session as unknown as SessionRow;
}

export const showMessage = ({
  id,
  role,
  content,
  understood,
  created_at,
}: MessageRow): Static<typeof IntakeMessage> => ({
  id: showId('msg', id),
  role: role as 'customer' | 'concierge',
  content,
  understood: understood as unknown as Answer[],
  created_at: created_at.toISOString(),
});

type SessionKey = Pick<SessionRow, 'account_id' | 'id'>;

export const messagesOf = (db: Db | Trx, session: SessionKey): Promise<MessageRow[]> =>
  db
    .selectFrom('intake_messages')
    .selectAll()
    .where('account_id', '=', session.account_id)
    .where('session_id', '=', session.id)
    .orderBy('seq')
    .execute();

type Families = Pick<Catalog, 'families'>;

export function showListedSession({ families }: Families, session: SessionRow): Static<typeof IntakeListItem> {
  const family = families.get(session.service_family);
  const state = family ? currentState(family, session.state) : session.state;
  const status = statusOf(session);
  const talks = status === 'open' || status === 'brief_ready';
  return {
    id: showId('ise', session.id),
    status,
    service_family: session.service_family,
    service_type: state.service_type,
    missing_intake_requirements: family ? missingOf(family, state) : [],
    suggested_replies: family && talks ? suggestedReplies(family, state, questionOf(family, state)) : [],
    intent_brief: session.brief,
    job_id: session.job_id && showId('job', session.job_id),
    expires_at: session.expires_at.toISOString(),
    created_at: session.created_at.toISOString(),
  };
}

export const showSession = async (
  db: Db | Trx,
  catalog: Families,
  session: SessionRow,
): Promise<Static<typeof IntakeSession>> => ({
  ...showListedSession(catalog, session),
  messages: (await messagesOf(db, session)).map(showMessage),
});

type NewMessage = { role: 'customer' | 'concierge'; content: string; understood?: Answer[] };

export const recordMessages = (
  trx: Trx,
  { account_id, id: session_id }: SessionKey,
  lastSeq: number,
  messages: NewMessage[],
): Promise<MessageRow[]> =>
  trx
    .insertInto('intake_messages')
    .values(
      messages.map(({ understood = [], ...message }, i) => ({
        account_id,
        session_id,
        seq: lastSeq + i + 1,
        id: newId(),
        understood: JSON.stringify(understood),
        ...message,
      })),
    )
    .returningAll()
    .execute();

export const conflict = (message: string, action: string) =>
  new Refusal('intake_session_conflict', { message, action });
const openAnother = 'Open a new one with POST /api/v1/intake/sessions.';

/** Refuses messages to an ended session. */
export function hasEnded({ status, expired }: SessionRow): Refusal | null {
  if (status === 'confirmed')
    return conflict(
      'This conversation is confirmed and has become a job.',
      `Follow the job that job_id names. ${openAnother}`,
    );
  if (status === 'closed') return conflict('This conversation is closed.', openAnother);
  return expired ? conflict('This conversation expired seven days after it was opened.', openAnother) : null;
}

/** A later catalog may no longer have the session's family. */
export function familyOf({ families }: Families, session: SessionRow): Family {
  const family = families.get(session.service_family);
  if (!family) throw conflict('The service of this conversation is no longer offered.', openAnother);
  return family;
}
