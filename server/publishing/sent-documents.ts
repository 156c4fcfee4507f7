import type { NewDocument } from '../../contract/desk/catalog-versions.ts';
import { type Documents, isOfCatalog } from '../catalog/documents.ts';
import type { Db } from '../db/pool.ts';
import { badBody, type Detail } from '../http/refusal.ts';
import { storedFiles } from './catalog-version.ts';

/** The documents of a request, with the files that it names by their sha256. */
export async function sentDocuments(db: Db, sent: readonly NewDocument[]): Promise<Documents> {
  const stored = await storedFiles(
    db,
    sent.flatMap(({ sha256 = [] }) => sha256),
  );
  const faults = sent.flatMap((document, i) => faultsOf(document, `/documents/${i}`, stored));
  const names = sent.map(({ file }) => file);
  const twice = names.flatMap((file, i): Detail[] =>
    names.indexOf(file) < i ? [{ location: `/documents/${i}/file`, message: 'stands here twice' }] : [],
  );
  if (faults.length + twice.length > 0) throw badBody([...faults, ...twice]);
  const documents = sent.map((document): [string, Buffer] => [document.file, bytesOf(document, stored)]);
  return new Map(documents.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function faultsOf(document: NewDocument, location: string, stored: ReadonlyMap<string, Buffer>): Detail[] {
  const { file, text, base64, sha256 } = document;
  if (!isOfCatalog(file)) return [{ location: `${location}/file`, message: 'is no file of a catalog' }];
  const contents = [text ?? undefined, base64].filter((content) => content !== undefined);
  if (contents.length > 1 || (contents.length === 0 && sha256 === undefined))
    return [{ location, message: 'must have one of text, base64 and sha256' }];
  if (contents.length === 0 && !stored.has(sha256 ?? ''))
    return [{ location: `${location}/sha256`, message: 'is of no file of a version: send its content' }];
  if (base64 !== undefined && Buffer.from(base64, 'base64').toString('base64') !== base64)
    return [{ location: `${location}/base64`, message: 'must be base64 with its padding' }];
  return [];
}

const bytesOf = ({ text, base64, sha256 = '' }: NewDocument, stored: ReadonlyMap<string, Buffer>): Buffer =>
  text === undefined || text === null
    ? base64 === undefined
      ? (stored.get(sha256) ?? Buffer.alloc(0))
      : Buffer.from(base64, 'base64')
    : Buffer.from(text);
