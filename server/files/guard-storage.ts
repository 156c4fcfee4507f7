import type { Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { checkStorage, isOwn, isRestoredCopy } from './installation.ts';
import { checkedBy, ownerKey, type Storage } from './storage.ts';

type Parts = { db: Db; storage: Storage };

/** Whether the storage is another installation's, or nobody knows whose. */
export async function isForeign(parts: Parts): Promise<boolean> {
  return !isOwn(await checkStorage(parts));
}

const takeOver = `delete the object ${ownerKey} there, then run: npm run admin -- storage adopt`;

export async function refuseForeign(parts: Parts): Promise<void> {
  if (await isForeign(parts))
    throw new Refusal('service_unavailable', {
      message: 'This is a copy, and the file storage belongs to another installation: nothing is written there.',
      action: `Give the copy a storage of its own in STORAGE_URL. If this one is its own, ${takeOver}`,
      headers: { 'retry-after': '3600' },
    });
}

/** With OUTBOUND=off alone nothing tells a copied disk from its original: any owner may be the original. */
const isShared = async ({ db, storage }: Parts): Promise<boolean> =>
  (await storage.readOwner()) !== null && !(await isRestoredCopy(db));

async function refuseShared(parts: Parts): Promise<void> {
  await refuseForeign(parts);
  if (await isShared(parts))
    throw new Refusal('service_unavailable', {
      message: 'OUTBOUND=off is set, and the file storage may be that of the original: nothing is moved or adopted.',
      action: `Leave OUTBOUND out if this is no copy. If it is one, and the storage is its own, ${takeOver}`,
      headers: { 'retry-after': '3600' },
    });
}

/**
 * Of a copy: in the storage of another installation, writes are refused and nothing is deleted. With
 * OUTBOUND=off alone nothing is deleted, moved or adopted in any storage with an owner.
 */
export function guardStorage({ db, storage }: Parts): Storage {
  const refuse = () => refuseForeign({ db, storage });
  return {
    ...storage,
    uploadUrl: checkedBy(refuse, storage.uploadUrl),
    pin: checkedBy(refuse, storage.pin),
    write: checkedBy(refuse, storage.write),
    writeFile: checkedBy(refuse, storage.writeFile),
    move: checkedBy(() => refuseShared({ db, storage }), storage.move),
    remove: async (key) => {
      const parts = { db, storage };
      if (!(await isForeign(parts)) && !(await isShared(parts))) await storage.remove(key);
    },
    // A storage without an owner may be claimed and adopted; a copy that was restored adopts its own again.
    writeOwner: async (text, terms) => {
      if ((await storage.readOwner()) !== null) await refuseShared({ db, storage });
      await storage.writeOwner(text, terms);
    },
  };
}
