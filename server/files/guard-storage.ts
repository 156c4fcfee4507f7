import type { Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { checkStorage, isOwn } from './installation.ts';
import type { Storage } from './storage.ts';

type Parts = { db: Db; storage: Storage };

/** Whether the storage is another installation's, or nobody knows whose. */
export async function isForeign(parts: Parts): Promise<boolean> {
  return !isOwn(await checkStorage(parts));
}

export async function refuseForeign(parts: Parts): Promise<void> {
  if (await isForeign(parts))
    throw new Refusal('service_unavailable', {
      message: 'This is a copy, and the file storage belongs to another installation: nothing is written there.',
      action: 'Give the copy a storage of its own in STORAGE_URL.',
      headers: { 'retry-after': '3600' },
    });
}

/** Of a copy: in the storage of another installation, writes are refused and nothing is deleted. */
export function guardStorage({ db, storage }: Parts): Storage {
  const guarded =
    <Words extends unknown[], Answer>(write: (...words: Words) => Promise<Answer>) =>
    async (...words: Words): Promise<Answer> => {
      await refuseForeign({ db, storage });
      return write(...words);
    };
  return {
    ...storage,
    uploadUrl: guarded(storage.uploadUrl),
    pin: guarded(storage.pin),
    write: guarded(storage.write),
    writeFile: guarded(storage.writeFile),
    move: guarded(storage.move),
    remove: async (key) => {
      if (!(await isForeign({ db, storage }))) await storage.remove(key);
    },
    // A storage without an owner, or with our line, may be claimed and adopted.
    writeOwner: async (text, terms) => {
      if ((await storage.readOwner()) !== null) await refuseForeign({ db, storage });
      await storage.writeOwner(text, terms);
    },
  };
}
