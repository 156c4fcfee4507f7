import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { fileTypes } from '../../contract/files/file-types.ts';
import { measureDisk } from '../lib/disk-space.ts';
import type { Signer } from '../lib/signer.ts';
import {
  linkObject,
  measureObject,
  moveObject,
  oldObjects,
  openObject,
  removeAbandoned,
  removeObject,
  trashObjects,
  writeObject,
} from './local-objects.ts';
import { probe, readOwner, writeOwner } from './local-owner.ts';
import { signQuery } from './signed-url.ts';
import type { Storage } from './storage.ts';

const types = new Map(Object.entries(fileTypes).map(([type, extension]) => [`.${extension}`, type]));

/** The service puts the type into the key as an extension, and an upload must have that type. */
export const typeOfKey = (key: string): string => types.get(extname(key)) ?? 'application/octet-stream';

const expiry = ({ from, seconds }: { from: Date; seconds: number }) =>
  String(Math.floor(from.getTime() / 1000) + seconds);

/** A folder on this machine, which several processes may share. `local-routes.ts` serves its URLs. */
export function createLocalStorage(folder: string, signer: Signer, publicUrl: string): Storage {
  const url = (key: string, query: string) => `${publicUrl}/storage/${key}?${query}`;
  return {
    uploadUrl: async (key, terms) => {
      const signedValues = [terms.contentType, String(terms.bytes)];
      return url(key, signQuery(signer, { method: 'PUT', key, expires: expiry(terms), signedValues }));
    },
    downloadUrl: async (key, terms) => {
      const query = signQuery(signer, {
        method: 'GET',
        key,
        expires: expiry(terms),
        signedValues: [terms.disposition],
      });
      return url(key, `${query}&disposition=${encodeURIComponent(terms.disposition)}`);
    },
    pin: async (upload, key) => {
      if (!(await linkObject(folder, upload, key))) return null;
      const object = await measureObject(folder, key);
      return object && { ...object, contentType: typeOfKey(key) };
    },
    measure: (key) => measureObject(folder, key),
    readStart: async (key, bytes) => {
      const object = await openObject(folder, key);
      if (!object) return null;
      const { buffer, bytesRead } = await object.handle.read(Buffer.alloc(bytes), 0, bytes, 0);
      await object.handle.close();
      return buffer.subarray(0, bytesRead);
    },
    open: async (key) => {
      const object = await openObject(folder, key);
      return object && { bytes: object.bytes, stream: object.handle.createReadStream() };
    },
    write: (key, { bytes }) => writeObject(folder, key, Readable.from([bytes]), bytes.length),
    writeFile: async (key, { path }) => writeObject(folder, key, createReadStream(path), (await stat(path)).size),
    remove: (key) => removeObject(folder, key),
    keysBefore: (time) => oldObjects(folder, time),
    removeAbandoned: () => removeAbandoned(folder),
    trashKeys: () => trashObjects(folder),
    move: (from, to) => moveObject(folder, from, to),
    diskSpace: () => measureDisk(folder),
    readOwner: () => readOwner(folder),
    writeOwner: (text, { replace }) => writeOwner(folder, text, replace),
    probe: () => probe(folder),
    ready: () => Promise.resolve(),
  };
}
