import { Decrypter, Encrypter } from 'age-encryption';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, open, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { makeFolder } from '../lib/make-folder.ts';
import { unmarkVerified } from './daily-backups.ts';
import { Unusable } from './unusable.ts';

/** Lines as `sha256sum -c` reads them, of every part. */
const sumsFile = 'SHA256SUMS';

export type Written = { bytes: number; sha256: string };

async function* counted(bytes: AsyncIterable<Uint8Array>, written: Written): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) {
    hash.update(chunk);
    written.bytes += chunk.length;
    yield chunk;
  }
  written.sha256 = hash.digest('hex');
}

const webOf = (stream: Readable) => Readable.toWeb(stream) as globalThis.ReadableStream<Uint8Array>;
const nodeOf = (stream: globalThis.ReadableStream) => Readable.fromWeb(stream as ReadableStream<Uint8Array>);

/** Writes the parts of a backup into a folder. Sums are those of the bytes on disk. */
export class PartWriter {
  readonly folder: string;
  readonly #recipient: string | null;
  readonly #sums = new Map<string, string>();
  bytes = 0;

  constructor(folder: string, recipient: string | null) {
    this.folder = folder;
    this.#recipient = recipient;
  }

  async write(name: string, stream: Readable, signal?: AbortSignal): Promise<void> {
    const path = join(this.folder, name);
    makeFolder(dirname(path), 0o700);
    const written: Written = { bytes: 0, sha256: '' };
    const source = this.#recipient === null ? stream : await encrypt(stream, this.#recipient);
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(source, (bytes: AsyncIterable<Uint8Array>) => counted(bytes, written), file, {
      ...(signal && { signal }),
    });
    this.#sums.set(name, written.sha256);
    this.bytes += written.bytes;
  }

  /** Writes the sums of all parts, and returns the sum of them. */
  async writeSums(): Promise<string> {
    const lines = [...this.#sums].map(([name, sha256]) => `${sha256}  ${name}\n`);
    const text = lines.join('');
    await appendFile(join(this.folder, sumsFile), text, { mode: 0o600, flush: true });
    return createHash('sha256').update(text).digest('hex');
  }
}

async function encrypt(stream: Readable, recipient: string): Promise<Readable> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return nodeOf(await encrypter.encrypt(webOf(stream)));
}

export function refuseUnlessRecipient(recipient: string): void {
  try {
    new Encrypter().addRecipient(recipient);
  } catch (error) {
    throw new Unusable(
      '--encrypt-to is no age recipient.',
      'Pass the public key that age-keygen prints: age1….',
      error,
    );
  }
}

/** Reads the parts of a backup. */
export class PartReader {
  readonly folder: string;
  readonly names: readonly string[];
  readonly #sums: Map<string, string>;
  readonly #decrypter: Decrypter | null;

  private constructor(folder: string, sums: Map<string, string>, decrypter: Decrypter | null) {
    this.folder = folder;
    this.names = [...sums.keys()];
    this.#sums = sums;
    this.#decrypter = decrypter;
  }

  static async open(folder: string, sum: string, identity: string | null): Promise<PartReader> {
    const text = await readFile(join(folder, sumsFile), 'utf8').catch(() => '');
    if (createHash('sha256').update(text).digest('hex') !== sum) throw damaged(sumsFile);
    const lines = text.split('\n').filter((line) => line !== '');
    const sums = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
    const outside = [...sums.keys()].find((name) => normalize(name) !== name || /^(?:\/|\.\.)/.test(name));
    if (outside !== undefined) throw damaged(sumsFile);
    return new PartReader(folder, sums, identity === null ? null : await decrypterOf(identity));
  }

  /** Reads every part to its end. */
  async verify(): Promise<void> {
    for (const [name, sum] of this.#sums) {
      const written: Written = { bytes: 0, sha256: '' };
      try {
        for await (const _ of counted(createReadStream(join(this.folder, name)), written));
      } catch (error) {
        throw await this.#damaged(name, error);
      }
      if (written.sha256 !== sum) throw await this.#damaged(name);
    }
    const [first] = this.names;
    if (first !== undefined) (await this.read(first)).destroy();
  }

  async #damaged(name: string, cause?: unknown): Promise<Unusable> {
    await unmarkVerified(this.folder).catch(() => {}); // of a folder that may only be read
    return damaged(name, cause);
  }

  async read(name: string): Promise<Readable> {
    const handle = await open(join(this.folder, name));
    const stream = handle.createReadStream();
    if (this.#decrypter === null) return stream;
    try {
      return nodeOf(await this.#decrypter.decrypt(webOf(stream)));
    } catch (error) {
      stream.destroy();
      throw new Unusable(
        'The key of --identity does not decrypt this backup.',
        'Pass the age identity that belongs to the recipient of --encrypt-to.',
        error,
      );
    }
  }
}

const damaged = (name: string, cause?: unknown) =>
  new Unusable(
    `The backup is damaged: ${name} is missing or changed. Nothing was restored.`,
    'Use another copy of it, or another backup.',
    cause,
  );

async function decrypterOf(file: string): Promise<Decrypter> {
  const decrypter = new Decrypter();
  const text = await readFile(file, 'utf8');
  const keys = text.split('\n').map((line) => line.trim());
  try {
    for (const key of keys.filter((line) => line !== '' && !line.startsWith('#'))) decrypter.addIdentity(key);
  } catch (error) {
    throw new Unusable(`${file} is no file of age identities.`, 'Pass the file that age-keygen wrote.', error);
  }
  return decrypter;
}
