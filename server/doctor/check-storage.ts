import type { Db } from '../db/pool.ts';
import { checkStorage, newestFiles, nothingToDo, readProblem } from '../files/installation.ts';
import type { Storage } from '../files/storage.ts';
import { judgedObjects } from '../files/sweep-storage.ts';
import { deadlines } from '../lib/deadlines.ts';
import { newId, showId } from '../lib/id.ts';
import { counted, fail, type Finding, ok, warn } from './run-checks.ts';

type Dependencies = { db: Db; storage: Storage };

/** The sweep moves orphans within a day and an hour. */
const hoursOfGrace = 48;
/** Listing a large bucket would take long. Keys sort by age, so these are the oldest of a kind. */
const mostListed = 5_000;
/** As in the sweep: more suggest a wrong database. */
const mostShare = 0.05;

/** Whose files the storage holds, and how many have no row. */
export async function checkOwner({ db, storage }: Dependencies): Promise<Finding[]> {
  const refused = await checkStorage({ db, storage });
  const missing = await checkNewest({ db, storage });
  if (refused?.expected) {
    const { message, action } = refused;
    return [action === nothingToDo ? ok(message) : warn(message, action), ...missing];
  }
  if (refused) return [fail(refused.message, refused.action), ...missing];
  return [ok('The files of the storage belong to this database.'), ...missing, await checkOrphans({ db, storage })];
}

/** What was written since an older copy of the files, or to the storage of a process that has another. */
async function checkNewest({ db, storage }: Dependencies): Promise<Finding[]> {
  const files = await newestFiles(db);
  const objects = await Promise.all(files.map(({ object_key }) => storage.measure(object_key)));
  const deletedSince = new Set(files.map(({ id }) => id)).difference(
    new Set((await newestFiles(db)).map(({ id }) => id)),
  );
  const missing = files.filter(({ id }, at) => objects[at] === null && !deletedSince.has(id));
  if (missing.length === 0) return [];
  const names = missing.map(({ id }) => showId('file', id)).join(', ');
  return [
    fail(
      `${missing.length} of the ${files.length} newest uploaded files are not in the storage: ${names}.`,
      'Give all processes the same STORAGE_URL. See what else is missing: npm run admin -- check --files',
    ),
  ];
}

/** What running processes say, whose STORAGE_URL, key or disk may be another than that of this command. */
export async function checkStorages(db: Db): Promise<Finding> {
  const problem = await readProblem(db);
  if (problem === null) return ok('No running process has a problem with its storage.');
  return fail(problem, 'Run doctor there, with the settings of that process. Its log and /readyz?verbose say more.');
}

async function checkOrphans({ db, storage }: Dependencies): Promise<Finding> {
  const enough = new AbortController();
  let [listed, orphaned] = [0, 0];
  for await (const { objects, orphans } of judgedObjects({ db, storage }, hoursOfGrace, enough.signal)) {
    listed += objects;
    orphaned += orphans.length;
    if (listed >= mostListed) enough.abort();
  }
  const of = `${counted(orphaned, 'object')} of ${listed.toLocaleString('en')}${enough.signal.aborted ? ' listed' : ''}`;
  const sentence = `${of} that are older than two days have no row.`;
  if (orphaned === 0) return ok(sentence);
  const action = 'Look at them: npm run admin -- storage sweep --dry-run';
  return warn(
    orphaned > listed * mostShare ? `${sentence} So many suggest a wrong DATABASE_URL or STORAGE_URL.` : sentence,
    action,
  );
}

const bytes = Buffer.from('Written by npm run admin -- doctor, and deleted at once.\n');

/** Writes, reads and deletes one object of its own. */
export async function checkRoundTrip(storage: Storage): Promise<Finding> {
  const key = `uploads/${newId()}.txt`;
  try {
    await storage.write(key, { contentType: 'text/plain', bytes });
    const read = await storage.readStart(key, bytes.length);
    if (!read || !bytes.equals(read))
      return fail(
        'The storage does not give back what was written.',
        'Give all processes the same storage in STORAGE_URL, one that is consistent after a write.',
      );
  } finally {
    await storage.remove(key);
  }
  if ((await storage.measure(key)) !== null)
    return fail('The storage does not delete objects.', 'Allow s3:DeleteObject to the key, and check object locks.');
  return ok('The storage writes, reads and deletes.');
}

const uploadHeaders = ['content-type', 'x-service-max-size'];
const readHeaders = ['range'];

/** Asks the bucket what a browser asks before a page sends a file there, or reads a part of it to show it. */
export async function checkCors(storage: Storage, publicUrl: string): Promise<Finding> {
  const { origin } = new URL(publicUrl);
  const terms = { contentType: 'image/png', bytes: 1, from: new Date(0), seconds: 60 };
  const url = await storage.uploadUrl(`uploads/${newId()}.png`, terms);
  const headers = [...uploadHeaders, ...readHeaders].join(', ');
  const action = `Allow in its CORS rules: origin ${origin}, methods PUT and GET, headers ${headers}.`;
  if (!(await allowsPage(url, origin, 'PUT', uploadHeaders)))
    return fail(`The bucket refuses uploads from pages of ${origin}.`, action);
  if (!(await allowsPage(url, origin, 'GET', readHeaders)))
    return warn(`Pages of ${origin} may not read from the bucket: previews of texts and PDFs stay empty.`, action);
  return ok(`The bucket takes uploads from pages of ${origin}.`);
}

async function allowsPage(url: string, origin: string, method: string, headers: string[]): Promise<boolean> {
  const answer = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': headers.join(','),
    },
    signal: AbortSignal.timeout(deadlines.doctor.reach),
  });
  await answer.arrayBuffer();
  const list = (name: string) =>
    (answer.headers.get(name) ?? '')
      .toLowerCase()
      .split(',')
      .map((item) => item.trim());
  const allows = (name: string, value: string) => list(name).includes('*') || list(name).includes(value);
  return (
    answer.ok &&
    allows('access-control-allow-origin', origin.toLowerCase()) &&
    allows('access-control-allow-methods', method.toLowerCase()) &&
    headers.every((header) => allows('access-control-allow-headers', header))
  );
}
