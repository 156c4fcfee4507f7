import type { Db } from '../db/pool.ts';
import { doSharedWork } from '../http/work.ts';
import type { Signer } from '../lib/signer.ts';
import { createStorage } from './create-storage.ts';
import { guardStorage } from './guard-storage.ts';
import { readMove } from './installation.ts';
import { nameOf, type StorageConfig } from './storage-config.ts';
import type { Storage } from './storage.ts';

export type Place = { config: StorageConfig; storage: Storage };

/** Where files may be: in the storage of this process, and while they move in the other one. */
export type Places = {
  own: Place;
  /** Asks the database. */
  others(): Promise<Place[]>;
  /** Asks it at most every five seconds. */
  latest(): Promise<Place[]>;
  /** All that were last seen. The storage watch asks each minute. */
  seen(): Place[];
};

export const placeOf = (config: StorageConfig, signer: Signer, publicUrl: string): Place => ({
  config,
  storage: createStorage(config, signer, publicUrl),
});

type Terms = { signer: Signer; publicUrl: string; isCopy: boolean };

/** Milliseconds. */
const lookFor = 5_000;

export function placesOf(db: Db, config: StorageConfig, { signer, publicUrl, isCopy }: Terms): Places {
  const opened = new Map<string, Place>();
  const open = (config: StorageConfig): Place => {
    const { storage } = placeOf(config, signer, publicUrl);
    const place = opened.get(nameOf(config)) ?? { config, storage: isCopy ? guardStorage({ db, storage }) : storage };
    opened.set(nameOf(config), place);
    return place;
  };
  const own = open(config);
  let seen = [own];
  const others = async () => {
    const move = await readMove(db);
    const others = (move ? [open(move.from), open(move.to)] : []).filter((place) => place !== own);
    seen = [own, ...others];
    return others;
  };
  let last: { at: number; places: Promise<Place[]> } | null = null;
  const latest = () => {
    if (last && performance.now() - last.at < lookFor) return last.places;
    const places = doSharedWork(async () => [own, ...(await others())]);
    last = { at: performance.now(), places };
    places.catch(() => (last = null));
    return places;
  };
  return { own, others, latest, seen: () => seen };
}

/**
 * The storage of requests. While the files are moved, what is not in the storage of this process is read in
 * the other one, and what is deleted is deleted in both. Everything new is written to that of this process.
 */
export function storageIn(places: Places, own: Storage): Storage {
  const anywhere =
    <Terms extends unknown[], Answer>(use: (storage: Storage) => (...terms: Terms) => Promise<Answer | null>) =>
    async (...terms: Terms): Promise<Answer | null> => {
      const answer = await use(own)(...terms);
      if (answer !== null) return answer;
      for (const { storage } of await places.others()) {
        const other = await use(storage)(...terms);
        if (other !== null) return other;
      }
      return null;
    };
  return {
    ...own,
    pin: anywhere((storage) => storage.pin),
    measure: anywhere((storage) => storage.measure),
    readStart: anywhere((storage) => storage.readStart),
    open: anywhere((storage) => storage.open),
    downloadUrl: async (key, terms) => {
      const [, ...others] = await places.latest();
      if (others.length > 0 && (await own.measure(key)) === null)
        for (const { storage } of others)
          if ((await storage.measure(key)) !== null) return storage.downloadUrl(key, terms);
      return own.downloadUrl(key, terms);
    },
    // Where the other storage fails, the move deletes it before it ends.
    remove: async (key) => {
      const others = places.others().then((all) => Promise.all(all.map(({ storage }) => storage.remove(key))));
      await Promise.all([own.remove(key), others.catch(() => {})]);
    },
    keysBefore: async function* (time) {
      const seen = new Set<string>();
      const others = await places.others();
      for (const storage of [own, ...others.map((place) => place.storage)])
        for await (const key of storage.keysBefore(time)) {
          if (seen.has(key)) continue;
          if (others.length > 0) seen.add(key);
          yield key;
        }
    },
  };
}
