import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pTimeout from 'p-timeout';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { deadlines } from '../lib/deadlines.ts';
import type { DiskSpace } from '../lib/disk-space.ts';
import { rootOf } from '../lib/log.ts';
import type { Loops } from '../lib/loops.ts';
import { checkStorage, claimStorage, isOwn, noteProblem, type Refused } from './installation.ts';
import { type Storage, storageDown } from './storage.ts';

/** Milliseconds for each answer that a look waits for, and for which the look serves everybody who asks. */
const answerWithin = 1_000;
const lookFor = 5_000;
/** Between two probes, and between two log lines about the same problem. */
const probeEvery = 60_000;
const logEvery = 3_600_000;

const lookAtSettings = 'Check STORAGE_URL, its rights and the AWS variables.';

/** `problem`: for anybody, so without paths and ids. `space`: null of a bucket, and without an answer. */
export type StorageLook = { problem: string | null; error: unknown; refused: Refused | null; space: DiskSpace | null };

/** Whether the storage of this process answers, takes writes, and has the files of the database. */
export class StorageWatch {
  /** That of requests refuses them where files would be lost. */
  readonly unguarded: Storage;
  readonly #db: Db;
  readonly #log: FastifyBaseLogger;
  readonly #loops: Loops;
  readonly #stopping = new AbortController();
  #last: { at: number; look: Promise<StorageLook> } | null = null;
  #lastLogged: { message: string; at: number } | null = null;
  #isClaimed = false;
  #refused: Refused | null = null;
  #writeError: unknown = null;

  constructor(db: Db, storage: Storage, log: FastifyBaseLogger, loops: Loops) {
    this.unguarded = storage;
    this.#db = db;
    this.#log = log;
    this.#loops = loops;
  }

  /** Claims the storage, and from then on probes it each minute. */
  async start(): Promise<void> {
    this.#loops.succeeded('storage');
    await this.probe();
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
    const [db, storage] = [this.#db, this.unguarded];
    // If it fails, the look says why.
    if (!this.#isClaimed) this.#isClaimed = (await errorOf(claimStorage({ db, storage }))) === null;
    const { refused } = await this.#look();
    this.#writeError = isOwn(refused) ? await errorOf(inTime(storage.probe(), deadlines.storage.answer)) : null;
    this.#last = null;
    const look = await this.latest();
    this.#logProblem(look);
    this.#loops.succeeded('storage');
    if (look.problem !== null)
      await errorOf(noteProblem(db, `The storage of process ${process.pid} on ${hostname()} ${look.problem}.`));
  }

  /** Anybody may ask, so the storage is asked once in a while. */
  latest(): Promise<StorageLook> {
    if (this.#last && performance.now() - this.#last.at < lookFor) return this.#last.look;
    const look = this.#look();
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
    const storage = this.unguarded;
    try {
      const owner = await inTime(storage.readOwner());
      const space = await inTime(storage.diskSpace());
      const refused = await inTime(checkStorage({ db: this.#db, storage }, owner)).catch((error: unknown) => {
        if (error instanceof Refusal) throw error;
        return this.#refused; // the database is slow or away, which says nothing about the storage
      });
      this.#refused = refused;
      return { problem: problemOf(refused, this.#writeError), error: this.#writeError, refused, space };
    } catch (error) {
      const problem = `cannot be read: ${wordsOf(error)}`;
      const refused = { message: `The storage ${problem}.`, action: lookAtSettings, expected: false };
      return { problem, error, refused, space: null };
    }
  }

  /** When a problem begins, each hour, and when it is over. */
  #logProblem({ problem, error, refused }: StorageLook): void {
    if (problem === null) {
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

const inTime = <Answer>(answer: Promise<Answer>, milliseconds = answerWithin): Promise<Answer> =>
  pTimeout(answer, { milliseconds });

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

function problemOf(refused: Refused | null, writeError: unknown): string | null {
  if (refused?.unusable) return 'does not have the files of this database: uploads and downloads are refused';
  if (writeError !== null) return `cannot be written: ${wordsOf(writeError)}`;
  return isOwn(refused) ? null : 'may have files of another installation: nothing is swept';
}

/** Of the provider, such as `NoSuchBucket` or `EROFS: read-only file system`, without the place. */
function wordsOf(error: unknown): string {
  const { code, name, message } = rootOf(error) as Error & { code?: string };
  if (name === 'TimeoutError') return 'no answer in time';
  return code !== undefined && message.startsWith(`${code}: `) ? message.replace(/,.*/s, '') : (code ?? name);
}

/** Also the storage for requests: it takes and gives nothing while the database's files are elsewhere. */
export function watchStorage(db: Db, storage: Storage, log: FastifyBaseLogger, loops: Loops) {
  const storageWatch = new StorageWatch(db, storage, log, loops);
  const ready = () => storageWatch.refuseUnusable();
  const guarded =
    <Terms extends unknown[], Answer>(use: (...terms: Terms) => Promise<Answer>) =>
    async (...terms: Terms) => {
      await ready();
      return use(...terms);
    };
  const [uploadUrl, downloadUrl] = [guarded(storage.uploadUrl), guarded(storage.downloadUrl)];
  const [pin, open, write] = [guarded(storage.pin), guarded(storage.open), guarded(storage.write)];
  return { storageWatch, storage: { ...storage, ready, uploadUrl, downloadUrl, pin, open, write } };
}
