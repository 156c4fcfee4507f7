import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pTimeout from 'p-timeout';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { doSharedWork } from '../http/work.ts';
import { deadlines } from '../lib/deadlines.ts';
import type { DiskSpace } from '../lib/disk-space.ts';
import { rootOf } from '../lib/log.ts';
import type { Loops } from '../lib/loops.ts';
import { checkStorage, claimStorage, isOwn, moveOn, noteProblem, type Refused } from './installation.ts';
import type { Places } from './places.ts';
import { checkedBy, type Storage, storageDown } from './storage.ts';

/** Milliseconds for each answer that a look waits for, and for which the look serves everybody who asks. */
const answerWithin = 1_000;
const lookFor = 5_000;
/** Between two probes, and between two log lines about the same problem. */
const probeEvery = 60_000;
const logEvery = 3_600_000;

type Watched = Pick<Places, 'own' | 'others'>;

const lookAtSettings = 'Check STORAGE_URL, its rights and the AWS variables.';

/** `problem` and `unswept` are for anybody, so without paths and ids. `space`: null for a bucket. */
export type StorageLook = {
  problem: string | null;
  unswept: string | null;
  error: unknown;
  refused: Refused | null;
  space: DiskSpace | null;
};

/** Whether the storage of this process answers, takes writes, and has the files of the database. */
export class StorageWatch {
  readonly #db: Db;
  readonly #log: FastifyBaseLogger;
  readonly #loops: Loops;
  readonly #stopping = new AbortController();
  readonly #claim: () => Promise<unknown>;
  readonly #read: () => Promise<{ owner: string | null; space: DiskSpace | null }>;
  readonly #check: (owner: string | null) => Promise<Refused | null>;
  readonly #write: () => Promise<void>;
  readonly #reach: () => Promise<unknown>;
  #last: { at: number; look: Promise<StorageLook> } | null = null;
  #lastLogged: { message: string; at: number } | null = null;
  #isClaimed = false;
  #refused: Refused | null = null;
  #writeError: unknown = null;
  #hasFailed = false;

  constructor(db: Db, { own: { storage }, others }: Watched, log: FastifyBaseLogger, loops: Loops) {
    this.#db = db;
    this.#log = log;
    this.#loops = loops;
    this.#claim = oneAtATime(() => claimStorage({ db, storage }), deadlines.storage.answer);
    this.#read = oneAtATime(async () => ({ owner: await storage.readOwner(), space: await storage.diskSpace() }));
    this.#check = oneAtATime((owner) => checkStorage({ db, storage }, owner));
    this.#write = oneAtATime(() => storage.probe(), deadlines.storage.answer);
    this.#reach = oneAtATime(async () => {
      for (const other of await others())
        if ((await other.storage.readOwner()) === null)
          throw Object.assign(new Error(), { code: 'it has no record of this database' });
    }, deadlines.storage.answer);
  }

  /** Claims the storage, and from then on probes it each minute. */
  async start(): Promise<void> {
    this.#loops.succeeded('storage');
    await this.probe();
    const { refused } = await this.latest();
    if (refused?.action === moveOn) this.#log.warn({ action: moveOn }, refused.message);
    void this.#probeUntilStopped();
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #probeUntilStopped(): Promise<void> {
    const { signal } = this.#stopping;
    while (await wait(probeEvery, true, { signal, ref: false }).catch(() => false)) await this.probe();
  }

  /** Writes, looks, and tells the log and doctor what is wrong. */
  async probe(): Promise<void> {
    // If it fails, the look says why.
    if (!this.#isClaimed) this.#isClaimed = (await errorOf(this.#claim())) === null;
    const { refused } = await this.#lookAnew();
    this.#writeError = isOwn(refused) ? await errorOf(this.#write()) : null;
    const look = await this.#lookAnew();
    this.#loops.succeeded('storage');
    // One slow answer of a bucket that is far away is no outage.
    const isFirst = look.error !== null && !this.#hasFailed;
    this.#hasFailed = look.error !== null;
    if (isFirst) return;
    this.#logProblem(look);
    const unreached = await errorOf(this.#reach());
    const beyond = unreached === null ? null : `cannot reach the other storage of the move: ${wordsOf(unreached)}`;
    const problem = look.problem ?? look.unswept ?? beyond;
    if (problem !== null)
      await errorOf(noteProblem(this.#db, `The storage of process ${process.pid} on ${hostname()} ${problem}.`));
  }

  #lookAnew(): Promise<StorageLook> {
    this.#last = null;
    return this.latest();
  }

  /** Anybody may ask, so the storage is asked once in a while. */
  latest(): Promise<StorageLook> {
    if (this.#last && performance.now() - this.#last.at < lookFor) return this.#last.look;
    const look = doSharedWork(() => this.#look());
    this.#last = { at: performance.now(), look };
    return look;
  }

  /**
   * Throws `service_unavailable` if the files of this database are missing. Waits for a look only if the last
   * one found them missing.
   */
  async refuseUnusable(): Promise<void> {
    const look = this.latest();
    if (this.#refused?.unusable) await look;
    if (this.#refused?.unusable) throw storageDown(new Error(this.#refused.message));
  }

  async #look(): Promise<StorageLook> {
    try {
      const { owner, space } = await this.#read();
      const refused = await this.#check(owner).catch((error: unknown) => {
        if (error instanceof Refusal) throw error;
        return this.#refused; // the database is slow or away, which says nothing about the storage
      });
      this.#refused = refused;
      const problem = problemOf(refused, this.#writeError);
      return { problem, unswept: unsweptOf(refused), error: this.#writeError, refused, space };
    } catch (error) {
      const problem = `cannot be read: ${wordsOf(error)}`;
      const refused = { message: `The storage ${problem}.`, action: lookAtSettings, expected: false };
      return { problem, unswept: null, error, refused, space: null };
    }
  }

  /** When a problem begins, each hour, and when it is over. */
  #logProblem({ problem, unswept, error, refused }: StorageLook): void {
    if (problem === null && unswept === null) {
      if (this.#lastLogged) this.#log.info('The storage works again.');
      this.#lastLogged = null;
      return;
    }
    const { message, action } =
      refused && !refused.expected ? refused : { message: `The storage ${problem}.`, action: lookAtSettings };
    if (this.#lastLogged?.message === message && performance.now() - this.#lastLogged.at < logEvery) return;
    this.#lastLogged = { message, at: performance.now() };
    this.#log.error({ action, ...(error === null ? {} : { err: rootOf(error) }) }, message);
  }
}

/** A disk that hangs keeps a thread for each question, so the next is asked once the last is answered. */
function oneAtATime<Terms extends unknown[], Answer>(
  ask: (...terms: Terms) => Promise<Answer>,
  milliseconds = answerWithin,
): (...terms: Terms) => Promise<Answer> {
  let answer: Promise<Answer> | null = null;
  return (...terms) => {
    answer ??= ask(...terms).finally(() => (answer = null));
    return pTimeout(answer, { milliseconds });
  };
}

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

function problemOf(refused: Refused | null, writeError: unknown): string | null {
  if (refused?.unusable) return 'does not have the files of this database: uploads and downloads are refused';
  return writeError === null ? null : `cannot be written: ${wordsOf(writeError)}`;
}

const unsweptOf = (refused: Refused | null): string | null =>
  isOwn(refused) || refused?.unusable ? null : 'may have files of another installation: nothing is swept';

/** Of the provider, such as `NoSuchBucket` or `EROFS: read-only file system`, without the place. */
function wordsOf(error: unknown): string {
  const { code, name, message } = rootOf(error) as Error & { code?: string };
  if (name === 'TimeoutError') return 'no answer in time';
  return code !== undefined && message.startsWith(`${code}: `) ? message.replace(/,.*/s, '') : (code ?? name);
}

/** Also the storage for requests: it takes and gives nothing while the database's files are elsewhere. */
export function watchStorage(db: Db, places: Watched, log: FastifyBaseLogger, loops: Loops) {
  const { storage } = places.own;
  const storageWatch = new StorageWatch(db, places, log, loops);
  const ready = () => storageWatch.refuseUnusable();
  const guarded: Storage = {
    ...storage,
    ready,
    uploadUrl: checkedBy(ready, storage.uploadUrl),
    downloadUrl: checkedBy(ready, storage.downloadUrl),
    pin: checkedBy(ready, storage.pin),
    open: checkedBy(ready, storage.open),
    write: checkedBy(ready, storage.write),
  };
  return { storageWatch, storage: guarded };
}
