import { lstat, open } from 'node:fs/promises';
import { basename, join, normalize, sep } from 'node:path';
import { Check } from 'typebox/value';
import { deliveryFiles } from '../../contract/files/file-types.ts';
import { uploadFields } from '../../contract/files/uploads.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { endingOf, typeByEnding } from '../files/endings.ts';
import { longestBeginning, nameByBytes, typeByBytes } from '../files/first-bytes.ts';
import { uploadFault } from '../files/upload-rules.ts';
import type { JobRow } from './rows.ts';
import { isWithin, type Problem, problemAt } from './table.ts';

/** A file below `files/`, whose beginning fits its type. */
export type SourceFile = { name: string; path: string; file_name: string; content_type: string; bytes: number };

/** The files that a job names, checked as uploads are. */
export async function readSourceFiles(
  folder: string,
  catalog: Catalog,
  row: JobRow,
): Promise<{ files: SourceFile[]; problems: Problem[] }> {
  const names = row.cells.files
    ? row.cells.files
        .split(';')
        .map((name) => name.trim())
        .filter(Boolean)
    : [];
  const problems: Problem[] = [];
  const files: SourceFile[] = [];
  if (names.length > deliveryFiles) problems.push(problemAt(row, 'files', `are more than ${deliveryFiles}`));
  if (new Set(names).size < names.length) problems.push(problemAt(row, 'files', 'name a file twice'));
  for (const name of problems.length === 0 ? names : []) {
    const read = await readSourceFile(folder, catalog, name);
    if (typeof read === 'string') problems.push(problemAt(row, 'files', `${name}: ${read}`));
    else files.push(read);
  }
  return { files, problems };
}

/** The file, or what is wrong with it. */
async function readSourceFile(folder: string, catalog: Catalog, name: string): Promise<SourceFile | string> {
  const within = normalize(name);
  if (within !== name.split('/').join(sep) || within.startsWith('..') || within.startsWith(sep))
    return 'must be a path below files/, without . and ..';
  const path = join(folder, 'files', within);
  const stats = await lstat(path).catch(() => null);
  if (!stats?.isFile() || !(await isWithin(folder, path))) return 'is no file below files/';
  if (stats.size === 0) return 'is empty';
  const file_name = basename(within);
  if (!Check(uploadFields.file_name, file_name)) return 'has a name with characters that turn or break lines';
  const content_type = typeByEnding(catalog.fileTypes, endingOf(file_name)) ?? '';
  const wish = { purpose: 'job_deliverable', content_type, size_bytes: stats.size, file_name };
  const fault = uploadFault(catalog, ['job_deliverable'], wish);
  if (fault) return fault.message;
  const start = await readStart(path);
  const type = typeByBytes(start, content_type, catalog);
  if (type === null)
    return `begins like ${nameByBytes(start, catalog) ?? 'another kind of file'}, not like ${content_type}`;
  return { name, path, file_name, content_type: type, bytes: stats.size };
}

async function readStart(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(longestBeginning), 0, longestBeginning, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
