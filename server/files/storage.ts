import type { Readable } from 'node:stream';
import { Refusal } from '../http/refusal.ts';
import type { DiskSpace } from '../lib/disk-space.ts';

/** The format of our keys. Nothing else in a folder or bucket is read, written or deleted. */
export const isKey = (key: string): boolean =>
  /^(?:uploads|files|posters|viewing)\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z0-9]{2,4}$/.test(key);

/** `trash/`, a day, and the orphan's former key. */
export const isTrashKey = (key: string): boolean => /^trash\/\d{4}-\d\d-\d\d\//.test(key) && isKey(key.slice(17));

/** The object that names the installations using this storage. */
export const ownerKey = 'atelier-installation';
/** The object that each process overwrites to see whether the storage takes writes. */
export const probeKey = 'atelier-probe';

export type Stored = { etag: string; bytes: number; contentType: string };

export type UploadTerms = { contentType: string; bytes: number; from: Date; seconds: number };

type DownloadTerms = { contentType: string; disposition: string; from: Date; seconds: number };

/** Signed URLs write `uploads/…`, and only the service writes the rest. Throws `service_unavailable`. */
export type Storage = {
  /** Throws unless files can be stored here now, as `watchStorage` knows. */
  ready(): Promise<void>;
  /** For one PUT with `content-type` and `x-service-max-size`. Does not contact the storage. */
  uploadUrl(key: string, terms: UploadTerms): Promise<string>;
  downloadUrl(key: string, terms: DownloadTerms): Promise<string>;
  /** Copies an upload to a key that no client can write. Null if there is no upload. */
  pin(upload: string, key: string): Promise<Stored | null>;
  /** The size of an object as it is stored now; null if there is none. */
  measure(key: string): Promise<{ etag: string; bytes: number } | null>;
  /** The first bytes of an object; null if there is none. */
  readStart(key: string, bytes: number): Promise<Uint8Array | null>;
  /** An object as a stream, which ends with an error after `milliseconds`; null if there is none. */
  open(key: string, milliseconds: number): Promise<{ bytes: number; stream: Readable } | null>;
  write(key: string, object: { contentType: string; bytes: Buffer }): Promise<void>;
  /** Writes an object with the bytes of a file on this machine. For restores: no caller waits for it. */
  writeFile(key: string, object: { contentType: string; path: string }): Promise<void>;
  /** A missing key is no error. */
  remove(key: string): Promise<void>;
  /** Keys of objects last written before `time`. */
  keysBefore(time: Date): AsyncIterable<string>;
  /** Deletes half-written objects older than a day. */
  removeAbandoned(): Promise<void>;
  trashKeys(): AsyncIterable<string>;
  /** Moves an object, which then counts as newly written. A missing key is no error. */
  move(from: string, to: string): Promise<void>;
  /** Space on the disk of the files; null for a bucket, which has no limit. */
  diskSpace(): Promise<DiskSpace | null>;
  readOwner(): Promise<string | null>;
  /** Without `replace` an existing owner stays. */
  writeOwner(text: string, terms: { replace: boolean }): Promise<void>;
  /** Writes a few bytes of its own, to see whether that works. */
  probe(): Promise<void>;
};

/** A full, missing or read-only disk, or a bucket that does not answer. Clients retry. */
export function storageDown(cause: unknown): Refusal {
  const refusal = new Refusal('service_unavailable', {
    message: 'The file storage is temporarily unavailable.',
    headers: { 'retry-after': '5' },
  });
  refusal.cause = cause;
  return refusal;
}

/** The same function, which first waits for `check` and fails if that throws. */
export const checkedBy =
  <Terms extends unknown[], Answer>(check: () => Promise<void>, use: (...terms: Terms) => Promise<Answer>) =>
  async (...terms: Terms): Promise<Answer> => {
    await check();
    return use(...terms);
  };
