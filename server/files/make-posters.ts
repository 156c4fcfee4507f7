import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import { isFilm } from '../../contract/files/file-types.ts';
import type { Db } from '../db/pool.ts';
import { asRefusal } from '../http/failure.ts';
import { deadlines } from '../lib/deadlines.ts';
import { showId } from '../lib/id.ts';
import { drawPoster, type Drawn, type Size } from './draw-poster.ts';
import { drawFilm } from './films/draw-film.ts';
import { type FilmReading, isFilmRow } from './films/film.ts';
import { newPosterKey } from './poster-url.ts';
import type { Storage } from './storage.ts';

type Parts = { db: Db; storage: Storage; log: FastifyBaseLogger; config: FilmReading };
type Pending = { account_id: string; id: string; object_key: string; content_type: string; poster_attempts: number };
type Made = Extract<Drawn, { picture: Buffer }>;

/** A process that ends while it draws may have been ended by the file, and an error may come of it. */
const mostAttempts = 3;

/** A drawing that was killed counts as so many attempts, so its side goes last. */
const attemptsOfKilled = 100;

/** Milliseconds after which the task ends and begins again, so that it is known to run. */
const drawFor = 60_000;

/** Draws the posters of new uploads, one after the other. Each is drawn once. */
export async function makePosters(parts: Parts, stopped: AbortSignal): Promise<void> {
  for (const until = performance.now() + drawFor; performance.now() < until && !stopped.aborted;) {
    const file = await nextFile(parts.db, parts.config);
    if (!file) return;
    if (file.poster_attempts > mostAttempts) await markFailed(parts.db, file);
    else await makePoster(parts, file, stopped);
  }
}

/**
 * Accounts take turns, and so do customer and studio in an account: first is the side for which the fewest
 * attempts were made in a day. Other processes leave the file alone for longer than an attempt takes.
 */
async function nextFile(db: Db, { ffmpeg }: FilmReading): Promise<Pending | undefined> {
  const { rows } = await sql<Pick<Pending, 'account_id' | 'id'>>`
    with due as (
      select account_id, uploaded_by, id, poster_due_at,
        row_number() over (partition by account_id, uploaded_by order by poster_due_at, id) as turn
      from files where ${isDue} and (${ffmpeg !== null} or not ${isFilmRow})
    ),
    spent as (
      select f.account_id, f.uploaded_by, sum(f.poster_attempts) as attempts
      from (select distinct account_id, uploaded_by from due) side
      join files f on f.account_id = side.account_id and f.uploaded_by = side.uploaded_by
      where f.created_at > now() - interval '1 day'
      group by f.account_id, f.uploaded_by
    )
    select due.account_id, due.id
    from due left join spent on spent.account_id = due.account_id and spent.uploaded_by = due.uploaded_by
    order by coalesce(spent.attempts, 0) + due.turn, due.poster_due_at limit 10`.execute(db);
  for (const { account_id, id } of rows) {
    const file = await takeFile(db, account_id, id);
    if (file) return file;
  }
  return undefined;
}

const isDue = sql`poster_status = 'pending' and status = 'uploaded' and poster_due_at <= now()`;

/** Nothing if another process has taken it. */
async function takeFile(db: Db, accountId: string, id: string): Promise<Pending | undefined> {
  const { rows } = await sql<Pending>`
    update files set poster_attempts = poster_attempts + 1, poster_due_at = now() + interval '2 minutes'
    where account_id = ${accountId} and id = (
      select id from files where account_id = ${accountId} and id = ${id} and ${isDue} for update skip locked)
    returning account_id, id, object_key, content_type, poster_attempts`.execute(db);
  return rows[0];
}

async function makePoster(
  { db, storage, log, config: { ffmpeg } }: Parts,
  file: Pending,
  stopped: AbortSignal,
): Promise<void> {
  try {
    const source = await storage.open(file.object_key, deadlines.storage.move);
    if (!source) return await markFailed(db, file);
    const drawn =
      ffmpeg !== null && isFilm(file.content_type)
        ? await drawFilm(ffmpeg, source.stream, stopped)
        : await drawPoster(source.stream, file.content_type, stopped);
    if (drawn.picture) return await addPoster({ db, storage }, file, drawn);
    const { size, reason, killed } = drawn;
    log.info({ reason, file: showId('file', file.id) }, 'a file cannot be drawn and gets no poster');
    await markFailed(db, file, { size, attempts: killed ? attemptsOfKilled : file.poster_attempts });
  } catch (error) {
    if (stopped.aborted || asRefusal(error)?.code === 'service_unavailable') await markLater(db, file);
    if (!stopped.aborted) throw error;
  }
}

/** The object first: without its row it is an orphan, which the sweep deletes. */
async function addPoster(
  { db, storage }: Pick<Parts, 'db' | 'storage'>,
  file: Pending,
  { size, picture }: Made,
): Promise<void> {
  const key = newPosterKey();
  await storage.write(key, { contentType: 'image/webp', bytes: picture });
  const { numUpdatedRows } = await db
    .updateTable('files')
    .where('account_id', '=', file.account_id)
    .where('id', '=', file.id)
    .where('status', '=', 'uploaded')
    .where('poster_status', '=', 'pending')
    .set({ poster_status: 'made', poster_key: key, poster_due_at: null, ...pixelsOf(size) })
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) await storage.remove(key); // the file was deleted while it was drawn
}

/** A size that is not known leaves the one that another reader of the file found. */
const pixelsOf = (size: Size) => (size ? { pixel_width: size.width, pixel_height: size.height } : {});

async function markFailed(
  db: Db,
  file: Pending,
  { size, attempts }: { size: Size; attempts: number } = { size: null, attempts: file.poster_attempts },
): Promise<void> {
  await db
    .updateTable('files')
    .where('account_id', '=', file.account_id)
    .where('id', '=', file.id)
    .where('poster_status', '=', 'pending')
    .set({ poster_status: 'failed', poster_due_at: null, poster_attempts: attempts, ...pixelsOf(size) })
    .execute();
}

/**
 * For a storage or database that does not answer, or a service that stops: the attempt does not count. Other
 * errors may be the file's: it has its next attempt once other processes would take it, and three in all.
 */
async function markLater(db: Db, file: Pending): Promise<void> {
  await sql`
    update files set poster_attempts = poster_attempts - 1, poster_due_at = now() + interval '10 seconds'
    where account_id = ${file.account_id} and id = ${file.id} and poster_status = 'pending'`.execute(db);
}
