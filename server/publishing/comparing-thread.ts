import { parentPort, workerData } from 'node:worker_threads';
import type { Documents } from '../catalog/documents.ts';
import { compareDocuments } from './compare-documents.ts';

type Sent = ReadonlyMap<string, Uint8Array>;
const { before, after } = workerData as { before: Sent; after: Sent };

/** A thread gets bytes without the methods of a Buffer. */
const asDocuments = (sent: Sent): Documents =>
  new Map([...sent].map(([file, { buffer, byteOffset, length }]) => [file, Buffer.from(buffer, byteOffset, length)]));

const answer = compareDocuments({ before: asDocuments(before), after: asDocuments(after) });
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
parentPort?.postMessage({ answer });
