import type { Static } from 'typebox';
import { type Selectable, sql } from 'kysely';
import type { IntakeMessage, IntakeSession } from '../../contract/intake.ts';
import type { Catalog, Family } from '../catalog/catalog.ts';
import type { Db, Trx } from '../db/pool.ts';
import { newId, readId, showId } from '../lib/id.ts';
import { Refusal } from '../http/refusal.ts';
import type { IntakeMessages, IntakeSessions } from '../tables.ts';
import type { Brief } from './brief.ts';
import { missingOf, type Talk } from './talk.ts';

type Status = Static<typeof IntakeSession>['status'];
export type SessionRow = Omit<Selectable<IntakeSessions>, 'talk' | 'brief'> & {
  talk: Talk;
  brief: Brief | null;
  /** By the clock of the database. */
  over: boolean;
};
export type MessageRow = Selectable<IntakeMessages>;

export const statusOf = ({ status, over }: SessionRow): Status =>
  over && status !== 'confirmed' ? 'expired' : (status as Status);

/** The account's session, or 404; with `lock` held until the transaction ends, so that messages come one after the other. */
export async function ownedSession(db: Db | Trx, accountId: string, id: string, lock = false): Promise<SessionRow> {
  const uuid = readId('ise', id);
  const session =
    uuid &&
    (await db
      .selectFrom('intake_sessions')
      .selectAll()
      .select(sql<boolean>`expires_at <= now()`.as('over'))
      .where('account_id', '=', accountId)
      .where('id', '=', uuid)
      .$if(lock, (rows) => rows.forUpdate())
      .executeTakeFirst());
  if (!session) throw new Refusal('intake_session_not_found');
  return session as unknown as SessionRow;
}

export const showMessage = ({ id, role, content, created_at }: MessageRow): Static<typeof IntakeMessage> => ({
  id: showId('msg', id),
  role: role as 'customer' | 'concierge',
  content,
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

/** A session with all that was said in it. */
export async function showSession(
  db: Db | Trx,
  { families }: Pick<Catalog, 'families'>,
  session: SessionRow,
): Promise<Static<typeof IntakeSession>> {
  const family = families.get(session.service_family);
  return {
    id: showId('ise', session.id),
    status: statusOf(session),
    service_family: session.service_family,
    service_type: session.talk.service_type,
    missing_intake_requirements: family ? missingOf(family, session.talk).map(({ label }) => label) : [],
    messages: (await messagesOf(db, session)).map(showMessage),
    intent_brief: session.brief,
    job_id: session.job_id && showId('job', session.job_id),
    expires_at: session.expires_at.toISOString(),
    created_at: session.created_at.toISOString(),
  };
}

type Line = { role: 'customer' | 'concierge'; content: string };

/** Writes down what was said after message `lastSeq`. */
export const recordMessages = (
  trx: Trx,
  { account_id, id: session_id }: SessionKey,
  lastSeq: number,
  lines: Line[],
): Promise<MessageRow[]> =>
  trx
    .insertInto('intake_messages')
    .values(lines.map((line, i) => ({ account_id, session_id, seq: lastSeq + i + 1, id: newId(), ...line })))
    .returningAll()
    .execute();

/** What a session cannot do as it stands. */
export const conflict = (message: string, action: string) =>
  new Refusal('intake_session_conflict', { message, action });
const openAnother = 'Open a new one with POST /api/v1/intake/sessions.';

/** Why nothing more can be said or confirmed in a session: it has ended. */
export function hasEnded(session: SessionRow): Refusal | null {
  if (session.status === 'confirmed')
    return conflict(
      'This conversation is confirmed and has become a job.',
      `Follow the job that job_id names. ${openAnother}`,
    );
  return session.over ? conflict('This conversation expired seven days after it was opened.', openAnother) : null;
}

/** The family of a session, which a later catalog may lack. */
export function familyOf({ families }: Pick<Catalog, 'families'>, session: SessionRow): Family {
  const family = families.get(session.service_family);
  if (!family) throw conflict('The service of this conversation is no longer offered.', openAnother);
  return family;
}
