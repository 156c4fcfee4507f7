import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { customerPages } from '../../contract/pages.ts';
import type { RateName } from '../../contract/rates.ts';
import type { Db } from '../db/pool.ts';
import { isoTime } from '../db/time.ts';
import { etagOf, isMatch } from '../http/prepared.ts';
import { type RateLimiter, networkOf } from '../http/rate-limit.ts';
import { Refusal } from '../http/refusal.ts';
import { type ListedJob, nextDate } from '../jobs/job.ts';
import { showId } from '../lib/id.ts';
import { digestOf } from '../mail/mail-token.ts';
import { type Dated, writeCalendar } from './icalendar.ts';

type Dependencies = { db: Db; publicUrl: string; rates: RateLimiter<RateName> };
type Named = FastifyRequest<{ Params: { name: string } }>;

export const calendarPath = (token: string): string => `/calendars/${token}.ics`;

/** Jobs of one calendar. */
const mostJobs = 500;

/** GET and HEAD of a feed. Its address is the credential, and every fault of it is the same 404. */
export function calendarRoute({ db, publicUrl, rates }: Dependencies): (app: FastifyInstance) => Promise<void> {
  async function sendCalendar(request: Named, reply: FastifyReply) {
    const digest = digestOf(request.params.name.replace(/\.ics$/, ''));
    const counted = { address: networkOf(request.ip), link: digest.toString('base64url') };
    const limits = await rates.spend('read_calendar', counted);
    const calendar = await findCalendar(db, digest);
    if (!calendar) throw new Refusal('not_found');
    const dates = await datesOf(db, calendar, publicUrl);
    const text = writeCalendar({ account: calendar.account_name, host: new URL(publicUrl).host, dates });
    const etag = etagOf(text);
    reply.headers({ ...limits, etag, 'cache-control': 'private, no-cache' });
    if (isMatch(etag, request.headers['if-none-match'])) return reply.code(304).send();
    const type = { 'content-type': 'text/calendar; charset=utf-8', 'content-length': Buffer.byteLength(text) };
    return reply.headers(type).send(request.method === 'HEAD' ? undefined : text);
  }
  return async (app) => {
    const url = '/calendars/:name';
    app.route({ method: ['GET', 'HEAD'], url, exposeHeadRoute: false, handler: sendCalendar });
  };
}

type Calendar = { account_id: string; account_name: string; with_titles: boolean };

/** By the hash alone, so that nobody can time a token that is nearly right. None while suspended. */
async function findCalendar(db: Db, digest: Buffer): Promise<Calendar | null> {
  const { rows } = await sql<Calendar>`
    select c.account_id, c.with_titles, a.name as account_name
    from calendars c join accounts a on a.id = c.account_id
    where c.token_sha256 = ${digest} and a.suspended_since is null`.execute(db);
  return rows[0] ?? null;
}

type Row = Parameters<typeof nextDate>[0] &
  Pick<ListedJob, 'id' | 'customer_title' | 'updated_at'> & { last_seq: number };

async function datesOf(db: Db, { account_id, with_titles }: Calendar, publicUrl: string): Promise<Dated[]> {
  const { rows } = await sql<Row>`
    select id, status, customer_title, wanted_by, revisions_used, due_round, due_at, waiting_since, review_due_at,
      updated_at, last_seq
    from jobs
    where account_id = ${account_id} and status not in ('completed', 'rejected', 'canceled')
    order by created_at desc, id desc limit ${mostJobs}`.execute(db);
  return rows.flatMap((row) => {
    const next = nextDate(row);
    if (next === null || next.falls_at === null) return [];
    const id = showId('job', row.id);
    return {
      id,
      title: with_titles ? row.customer_title : null,
      next: { ...next, falls_at: next.falls_at },
      sequence: row.last_seq,
      changedAt: isoTime(row.updated_at),
      url: publicUrl + customerPages.job.replace(':id', id),
    };
  });
}
