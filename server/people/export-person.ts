import { type Selectable, sql } from 'kysely';
import { optionalNames, reusedNames, valuesOf } from '../../contract/jobs/optional-fields.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { exportPerson as endpoint } from '../../contract/people/personal-data.ts';
import { appendAuditOnce } from '../audit/append-audit.ts';
import { type Db, transact } from '../db/pool.ts';
import type { Person, Request } from '../http/request.ts';
import { allAppsOf } from '../keys/connected-app.ts';
import { showId } from '../lib/id.ts';
import { choicesOf } from '../mail/notification-choice.ts';
import { type NotificationRow, notificationColumns } from '../mail/notification-words.ts';
import { showNotification } from '../notifications/notification.ts';
import { sessionsOf, showSession } from '../sign-in/listed-session.ts';
import { showUser } from '../sign-in/person.ts';
import type { Templates } from '../tables.ts';
import { commentsBy, messagesBy, ordersOf, repliesBy } from './words-of-person.ts';

export async function exportPerson(
  { db }: { db: Db },
  { caller, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { userId } = caller;
  const subject = showId('user', userId);
  const exported = { action: 'user.exported', subject, accountId: null } as const;
  await transact(db, (trx) => appendAuditOnce(trx, cause, exported));
  const { created_at } = await db
    .selectFrom('people')
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
      operator_invitations_sent: await operatorInvitationsBy(db, caller),
      api_keys: await keysBy(db, caller),
      connected_apps: await allAppsOf(db, userId),
      notification_choices: await choicesOf(db, caller),
      calendars: await calendarsOf(db, caller),
      notifications: await notificationsTo(db, userId),
      jobs: await jobsBy(db, caller),
      messages: await messagesBy(db, caller),
      comments: await commentsBy(db, caller),
      replies: await repliesBy(db, caller),
      brands: await brandsBy(db, caller),
      templates: await templatesBy(db, caller),
      orders: await ordersOf(db, caller),
      quota_adjustments: await adjustmentsBy(db, caller),
      noted_times: await timesBy(db, caller),
    },
  };
}

async function calendarsOf(db: Db, { userId }: Person) {
  const rows = await db
    .selectFrom('calendars')
    .select(['account_id', 'with_titles', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  return rows.map(({ account_id, with_titles, created_at }) => ({
    account_id: showId('acct', account_id),
    with_titles,
    created_at: created_at.toISOString(),
  }));
}

async function notificationsTo(db: Db, userId: string) {
  const { rows } = await sql<NotificationRow>`
    select ${notificationColumns} from notifications n where n.user_id = ${userId} order by n.created_at, n.id`.execute(
    db,
  );
  return rows.map(showNotification);
}

async function membershipsOf(db: Db, { userId }: Person) {
  const rows = await db
    .selectFrom('members as member')
    .innerJoin('accounts as account', 'account.id', 'member.account_id')
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
    .selectFrom('invitations')
    .where('inviter_id', '=', userId)
    .orderBy('created_at')
    .select(['id', 'email', 'role', 'created_at'])
    .execute();
  return rows.map((row) => ({ ...row, id: showId('inv', row.id), created_at: row.created_at.toISOString() }));
}

async function operatorInvitationsBy(db: Db, { userId }: Person) {
  const rows = await db
    .selectFrom('operator_invitations')
    .where('inviter_id', '=', userId)
    .orderBy('created_at')
    .select(['id', 'email', 'role', 'created_at'])
    .execute();
  return rows.map((row) => ({ ...row, id: showId('oinv', row.id), created_at: row.created_at.toISOString() }));
}

async function keysBy(db: Db, { userId }: Person) {
  const rows = await db
    .selectFrom('api_keys')
    .where('created_by', '=', userId)
    .where('app_client_id', 'is', null)
    .orderBy('created_at')
    .select(['id', 'name', 'prefix', 'created_at'])
    .execute();
  return rows.map((row) => ({ ...row, id: showId('key', row.id), created_at: row.created_at.toISOString() }));
}

/** Jobs in accounts that they have left belong to the account. */
async function jobsBy(db: Db, { userId }: Person) {
  const rows = await db
    .selectFrom('jobs')
    .innerJoin('members as member', 'member.account_id', 'jobs.account_id')
    .where('member.user_id', '=', userId)
    .where('jobs.created_by_user', '=', userId)
    .orderBy('jobs.created_at')
    .select([
      'jobs.id',
      'jobs.customer_title',
      'jobs.customer_instructions',
      ...optionalNames.map((name) => `jobs.${name}` as const),
      'jobs.status',
      'jobs.created_at',
    ])
    .execute();
  return rows.map((row) => ({
    ...row,
    id: showId('job', row.id),
    ...valuesOf(optionalNames, row),
    created_at: row.created_at.toISOString(),
  }));
}

async function brandsBy(db: Db, { userId }: Person) {
  const { rows } = await sql<{ account_id: string; facts: { label: string; text: string }[]; updated_at: Date }>`
    select k.account_id, k.facts, k.updated_at from brand_kits k
    join members m on m.account_id = k.account_id and m.user_id = k.updated_by_user
    where k.updated_by_user = ${userId}
    order by k.updated_at`.execute(db);
  return rows.map(({ account_id, facts, updated_at }) => ({
    account_id: showId('acct', account_id),
    facts,
    updated_at: updated_at.toISOString(),
  }));
}

async function templatesBy(db: Db, { userId }: Person) {
  const { rows } = await sql<Omit<Selectable<Templates>, 'answers'> & { answers: Answer[] }>`
    select t.* from templates t
    join members m on m.account_id = t.account_id and m.user_id = t.created_by_user
    where t.created_by_user = ${userId}
    order by t.created_at`.execute(db);
  return rows.map(({ id, name, answers, words, created_at, ...row }) => ({
    id: showId('tpl', id),
    name,
    answers,
    words,
    ...valuesOf(reusedNames, row),
    created_at: created_at.toISOString(),
  }));
}

async function adjustmentsBy(db: Db, { userId }: Person) {
  const { rows } = await sql<{ id: string; account_id: string; quantity: number; reason: string; created_at: Date }>`
    select id, account_id, quantity, reason, created_at from quota_adjustments
    where created_by = ${userId} order by created_at`.execute(db);
  return rows.map(({ id, account_id, created_at, ...row }) => ({
    ...row,
    id: showId('adj', id),
    account_id: showId('acct', account_id),
    created_at: created_at.toISOString(),
  }));
}

type TimeRow = {
  id: string;
  job_id: string;
  minutes: number;
  worked_on: string;
  words: string | null;
  created_at: Date;
};

async function timesBy(db: Db, { userId }: Person) {
  const { rows } = await sql<TimeRow>`
    select id, job_id, minutes, worked_on::text as worked_on, words, created_at from job_times
    where user_id = ${userId} order by created_at, id`.execute(db);
  return rows.map(({ id, job_id, created_at, ...row }) => ({
    ...row,
    id: showId('time', id),
    job_id: showId('job', job_id),
    created_at: created_at.toISOString(),
  }));
}

type Answer = { requirement: string; answer: string };
