import type { Catalog } from '../catalog/catalog.ts';
import type { ArchivedFile } from './archive.ts';
import { downloadName } from './download-name.ts';

/** Names that Windows keeps for devices, with any extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

function folderOf({ purpose, uploaded_by, round }: ArchivedFile, atDesk: boolean): string {
  if (uploaded_by === 'customer') return atDesk ? 'Files of the customer' : 'Your files';
  if (purpose !== 'job_deliverable') return 'Messages';
  return round === null ? 'Not delivered' : `Delivery ${round + 1}`;
}

/** Equal for two names that a file system may take for one. */
const alike = (name: string): string => name.normalize('NFC').toLowerCase();

/** `same.png`, then `same (2).png`. `used`: the last number that each name got. */
function makeUnique(name: string, used: Map<string, number>): string {
  const dot = name.lastIndexOf('.');
  let unique = name;
  let n = used.get(alike(name)) ?? 1;
  while (used.has(alike(unique))) unique = `${name.slice(0, dot)} (${++n})${name.slice(dot)}`;
  used.set(alike(name), n).set(alike(unique), 1);
  return unique;
}

type Terms = { inFolders: boolean; atDesk: boolean; fileTypes: Catalog['fileTypes'] };

/** The paths of files in an archive, in their order: safe on every system, and no two alike. */
export function archiveNames(files: readonly ArchivedFile[], { inFolders, atDesk, fileTypes }: Terms): string[] {
  const used = new Map<string, number>();
  return files.map((file) => {
    const name = downloadName(file.file_name, file.content_type, fileTypes).normalize('NFC').replace(device, '_$&');
    return makeUnique(inFolders ? `${folderOf(file, atDesk)}/${name}` : name, used);
  });
}
