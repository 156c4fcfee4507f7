import { workerData } from 'node:worker_threads';
import type { Documents } from '../catalog/documents.ts';
import { tell } from '../lib/thread.ts';
import { compareDocuments } from './compare-documents.ts';
import type { Ids } from './put-back.ts';

tell({ loaded: true });
type Sent = ReadonlyMap<string, Uint8Array>;
const { before, after, retire } = workerData as { before: Sent; after: Sent; retire: Ids };

/** A thread gets bytes without the methods of a Buffer. */
const asDocuments = (sent: Sent): Documents =>
  new Map([...sent].map(([file, { buffer, byteOffset, length }]) => [file, Buffer.from(buffer, byteOffset, length)]));

const answer = compareDocuments({ before: asDocuments(before), after: asDocuments(after), retire });
tell({ answer });
