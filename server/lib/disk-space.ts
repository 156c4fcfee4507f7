import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** In bytes. `free`: for a process that is not root. */
export type DiskSpace = { free: number; size: number };

/** Of the disk that holds a folder, or will hold it once the folder is made. */
export async function measureDisk(folder: string): Promise<DiskSpace> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return measureDisk(dirname(folder));
  }
}

/** Some disks of other machines have no size: they count as free. */
export const freeShare = ({ free, size }: DiskSpace): number => (size === 0 ? 1 : free / size);

export const isDiskNearlyFull = (space: DiskSpace): boolean => freeShare(space) < 0.02;
