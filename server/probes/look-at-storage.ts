import pTimeout from 'p-timeout';
import type { Storage } from '../files/storage.ts';
import type { DiskSpace } from '../lib/disk-space.ts';

type Readable = Pick<Storage, 'readOwner' | 'diskSpace'>;

/** `space`: null of a bucket, and while the storage does not answer. */
export type StorageLook = { answers: boolean; space: DiskSpace | null };

/** Milliseconds for the storage, and for which its answer serves everybody who asks. */
const storageWithin = 1_000;
const storageFor = 5_000;

const storageLooks = new WeakMap<object, { at: number; look: Promise<StorageLook> }>();

/** Anybody may ask, so the storage is asked once in a while. */
export function lookAtStorage(storage: Readable): Promise<StorageLook> {
  const last = storageLooks.get(storage);
  if (last && performance.now() - last.at < storageFor) return last.look;
  const ask = async () => {
    await storage.readOwner();
    return storage.diskSpace();
  };
  const look = pTimeout(ask(), { milliseconds: storageWithin }).then(
    (space) => ({ answers: true, space }),
    () => ({ answers: false, space: null }),
  );
  storageLooks.set(storage, { at: performance.now(), look });
  return look;
}
