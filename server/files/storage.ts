import { Refusal } from '../http/refusal.ts';

/** How the service spells its keys. Nothing else in a folder or bucket is read, written or deleted. */
export const isKey = (key: string): boolean =>
  /^(?:uploads|files)\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z0-9]{2,4}$/.test(key);

/** `trash/`, a day, and the key that an orphan had. */
export const isTrashKey = (key: string): boolean => /^trash\/\d{4}-\d\d-\d\d\//.test(key) && isKey(key.slice(17));

/** The object that names the installation whose files these are. */
export const ownerKey = 'atelier-installation';

/** What the storage holds under a key. */
export type Stored = { etag: string; bytes: number; contentType: string };

/** What an upload URL lets its holder do, and nothing else: put these bytes under this key until it expires. */
export type UploadTerms = { contentType: string; bytes: number; from: Date; seconds: number };

/** What a download URL lets its holder do: read these bytes, as a file of this name. */
type DownloadTerms = { contentType: string; disposition: string; from: Date; seconds: number };

/**
 * Where the bytes lie. Two sorts of keys: `uploads/…`, which a signed URL may write, and `files/…`, which only the
 * service writes. A storage that cannot be reached throws `service_unavailable`.
 */
export type Storage = {
  /** A URL for one PUT with the headers `content-type` and `x-service-max-size`. Made without asking the storage. */
  uploadUrl(key: string, terms: UploadTerms): Promise<string>;
  downloadUrl(key: string, terms: DownloadTerms): Promise<string>;
  /** Copies an upload to a key that no client can write, and tells what is there; null when there was no upload. */
  pin(upload: string, key: string): Promise<Stored | null>;
  /** Deletes what is there; a key without anything is no error. */
  remove(key: string): Promise<void>;
  /** All keys last written before that time. What was left half-written before it is deleted on the way. */
  keysBefore(time: Date): AsyncIterable<string>;
  /** All keys in the trash. */
  trashKeys(): AsyncIterable<string>;
  /** Moves an object, which counts as written now; a key without anything is no error. */
  move(from: string, to: string): Promise<void>;
  /** The text of the owner's object; null when there is none. */
  readOwner(): Promise<string | null>;
  /** Without `replace` an owner that is there stays. */
  writeOwner(text: string, terms: { replace: boolean }): Promise<void>;
};

/** A disk that is full, gone or read-only, a bucket that does not answer: callers try again. */
export function storageDown(cause: unknown): Refusal {
  const refusal = new Refusal('service_unavailable', {
    message: 'The file storage is not available at the moment.',
    headers: { 'retry-after': '5' },
  });
  refusal.cause = cause;
  return refusal;
}
