import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import { type Db, transact, type Trx } from '../../db/pool.ts';
import { asRefusal } from '../../http/failure.ts';
import { Refusal } from '../../http/refusal.ts';
import { deadlines } from '../../lib/deadlines.ts';
import { newId, showId } from '../../lib/id.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { Storage } from '../storage.ts';
import { type FileLimits, storageLimitRefusal } from '../upload-rules.ts';
import { type FilmReading, isFilmRow, isPlayed } from './film.ts';
import { withFilm } from './film-process.ts';
import { copyFilm, lookAtFilm } from './view-film.ts';

type Parts = {
  db: Db;
  storage: Storage;
  log: FastifyBaseLogger;
  metrics: Pick<Metrics, 'count'>;
  config: FileLimits & FilmReading;
};
type FilmKey = { account_id: string; id: string };
type Pending = FilmKey & {
  uploaded_by: string;
  object_key: string;
  content_type: string;
  stored_bytes: number;
  viewing_attempts: number;
};
/** `attempts`: replaces the number of attempts. */
type Outcome =
  | { status: 'none' }
  | { status: 'made'; key: string; bytes: number }
  | { status: 'failed'; reason: string; attempts?: number };

/** As for posters. An attempt that had to be killed counts as many. */
const mostAttempts = 3;
const attemptsOfKilled = 100;

/** Milliseconds: the task ends and begins again, so that it is known to run; a copy takes longer. */
const workFor = 60_000;

/** Looks at new films, one after the other, and makes copies of those that browsers cannot play. */
export async function makeViewingCopies(parts: Parts, stopped: AbortSignal): Promise<void> {
  for (const until = performance.now() + workFor; performance.now() < until && !stopped.aborted;) {
    const film = await nextFilm(parts.db);
    if (!film) return;
    await viewFilm(parts, film, stopped);
  }
}

const isDue = sql`viewing_status = 'pending' and status = 'uploaded' and viewing_due_at <= now()`;

/** In turns, as posters are drawn. Other processes leave the film alone for longer than an attempt takes. */
async function nextFilm(db: Db): Promise<Pending | undefined> {
  const { rows } = await sql<FilmKey>`
    with due as (
      select account_id, uploaded_by, id, viewing_due_at,
        row_number() over (partition by account_id, uploaded_by order by viewing_due_at, id) as turn
      from files where ${isDue}
    ),
    spent as (
      select f.account_id, f.uploaded_by, sum(f.viewing_attempts) as attempts
      from (select distinct account_id, uploaded_by from due) side
      join files f on f.account_id = side.account_id and f.uploaded_by = side.uploaded_by
      where f.created_at > now() - interval '1 day'
      group by f.account_id, f.uploaded_by
    )
    select due.account_id, due.id
    from due left join spent on spent.account_id = due.account_id and spent.uploaded_by = due.uploaded_by
    order by coalesce(spent.attempts, 0) + due.turn, due.viewing_due_at limit 10`.execute(db);
  for (const { account_id, id } of rows) {
    const { rows: films } = await sql<Pending>`
      update files set viewing_attempts = viewing_attempts + 1, viewing_due_at = now() + interval '20 minutes'
      where account_id = ${account_id} and id = (
        select id from files where account_id = ${account_id} and id = ${id} and ${isDue} for update skip locked)
      returning account_id, id, uploaded_by, object_key, content_type, stored_bytes, viewing_attempts`.execute(db);
    if (films[0]) return films[0];
  }
  return undefined;
}

async function viewFilm({ db, storage, log, metrics, config }: Parts, film: Pending, stopped: AbortSignal) {
  const began = performance.now();
  try {
    const outcome = await view({ db, storage, config }, film, stopped);
    const written = await writeOutcome({ db, config }, film, outcome);
    if (written.status !== 'made' && outcome.status === 'made') await storage.remove(outcome.key);
    const file = showId('file', film.id);
    if (written.status === 'failed') log.info({ reason: written.reason, file }, 'a film gets no copy for viewing');
    metrics.count('atelier_viewing_copies_total', written.status === 'none' ? 'unneeded' : written.status);
    metrics.count('atelier_viewing_copies_seconds_total', undefined, (performance.now() - began) / 1000);
  } catch (error) {
    if (stopped.aborted || asRefusal(error)?.code === 'service_unavailable') await markLater(db, film);
    if (!stopped.aborted) throw error;
  }
}

async function view(
  { db, storage, config: { ffmpeg } }: Omit<Parts, 'log' | 'metrics'>,
  film: Pending,
  stopped: AbortSignal,
): Promise<Outcome> {
  const failed = (reason: string, killed = false): Outcome =>
    killed ? { status: 'failed', reason, attempts: attemptsOfKilled } : { status: 'failed', reason };
  if (ffmpeg === null || film.viewing_attempts > mostAttempts) return failed('no attempt to read it came to an end');
  const source = await storage.open(film.object_key, deadlines.storage.move);
  if (!source) return failed('its bytes are missing');
  const outcome = await withFilm(source.stream, stopped, async (file): Promise<Outcome> => {
    const { film: facts, ended } = await lookAtFilm(ffmpeg, file, stopped);
    if (!facts) return failed(ended.reason ?? 'it has no picture or sound that can be read', ended.killed);
    if (facts.picture) await setPixels(db, film, facts.picture);
    if (isPlayed(facts, film.content_type)) return { status: 'none' };
    if (!facts.picture) return failed('it has no picture');
    const copy = await copyFilm(ffmpeg, file, facts, stopped);
    if (copy.path === null) return failed(copy.reason, copy.killed);
    // The object first: without its row it is an orphan, which the sweep deletes.
    const key = `viewing/${newId()}.mp4`;
    await storage.writeFile(key, { contentType: 'video/mp4', path: copy.path });
    return { status: 'made', key, bytes: copy.bytes };
  });
  return outcome ?? failed('it has no format of films that is read');
}

const setPixels = (db: Db, { account_id, id }: FilmKey, { width, height }: { width: number; height: number }) =>
  db
    .updateTable('files')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .set({ pixel_width: width, pixel_height: height })
    .execute();

/** A copy beyond the limit of its account is none. What the studio delivers is not limited. */
async function withinLimit(trx: Trx, config: FileLimits, film: Pending, outcome: Outcome): Promise<Outcome> {
  if (outcome.status !== 'made' || film.uploaded_by !== 'customer') return outcome;
  const limits = { ...config, maxPendingUploads: Infinity };
  const bytes = film.stored_bytes + outcome.bytes;
  const refusal = await storageLimitRefusal(trx, film.account_id, limits, bytes, film.id).catch((error: unknown) => {
    if (error instanceof Refusal) return error; // the account was closed
    throw error;
  });
  return refusal ? { status: 'failed', reason: 'its copy is beyond the limit of the account' } : outcome;
}

/** Returns what was written, which may differ from the outcome. */
function writeOutcome({ db, config }: Pick<Parts, 'db' | 'config'>, film: Pending, outcome: Outcome) {
  return transact(db, async (trx): Promise<Outcome | { status: 'dropped' }> => {
    const written = await withinLimit(trx, config, film, outcome);
    const { numUpdatedRows } = await trx
      .updateTable('files')
      .where('account_id', '=', film.account_id)
      .where('id', '=', film.id)
      .where('status', '=', 'uploaded')
      .where('viewing_status', '=', 'pending')
      .set({ viewing_status: written.status, viewing_due_at: null })
      .set(written.status === 'made' ? { viewing_key: written.key, viewing_bytes: written.bytes } : {})
      .set(written.status === 'failed' && written.attempts ? { viewing_attempts: written.attempts } : {})
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n ? written : { status: 'dropped' }; // it was deleted meanwhile
  });
}

/**
 * For a storage or database that does not answer, or a service that stops: the attempt does not count. Other
 * errors may be the film's: it has its next attempt once other processes would take it, and three in all.
 */
async function markLater(db: Db, { account_id, id }: FilmKey): Promise<void> {
  await sql`
    update files set viewing_attempts = viewing_attempts - 1, viewing_due_at = now() + interval '10 seconds'
    where account_id = ${account_id} and id = ${id} and viewing_status = 'pending'`.execute(db);
}

/** If no process with FFMPEG has begun this task for a day, films that have waited as long are given up. */
export async function giveUpFilms(db: Db): Promise<void> {
  const isLeft = (dueAt: string) => sql`${sql.ref(dueAt)} < now() - interval '1 day' and ${isFilmRow}
    and not exists (select from task_runs where task = 'makeViewingCopies' and due_at > now() - interval '1 day')`;
  await sql`
    update files set viewing_status = 'failed', viewing_due_at = null
    where viewing_status = 'pending' and status = 'uploaded' and ${isLeft('viewing_due_at')}`.execute(db);
  await sql`
    update files set poster_status = 'failed', poster_due_at = null
    where poster_status = 'pending' and status = 'uploaded' and ${isLeft('poster_due_at')}`.execute(db);
}
