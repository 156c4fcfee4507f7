import type { Catalog } from '../catalog/catalog.ts';
import type { Archive, ArchivedFile } from './archive.ts';
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

type Terms = Pick<Archive, 'round'> & { atDesk: boolean; fileTypes: Catalog['fileTypes'] };

/** The paths of files in an archive, in their order: safe on every system, and no two alike. */
export function archiveNames(files: readonly ArchivedFile[], { round, atDesk, fileTypes }: Terms): string[] {
  const [used, usedFolders] = [new Map<string, number>(), new Map<string, number>()];
  const safe = (name: string, type: string) =>
    downloadName(name, type, fileTypes).normalize('NFC').replace(device, '_$&');
  const folders = new Map<string, string>();
  const folderOfJob = ({ job_id, customer_title }: ArchivedFile): string => {
    const folder = folders.get(job_id) ?? makeUnique(safe(`${customer_title}.zip`, 'application/zip'), usedFolders);
    folders.set(job_id, folder);
    return folder.replace(/\.zip$/, '');
  };
  return files.map((file) => {
    const name = safe(file.file_name, file.content_type);
    if (round === 'final') return makeUnique(`${folderOfJob(file)}/${name}`, used);
    return makeUnique(round === null ? `${folderOf(file, atDesk)}/${name}` : name, used);
  });
}
