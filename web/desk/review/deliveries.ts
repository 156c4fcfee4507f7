import type { DeskJob, File } from '../../app/api.ts';
import type { Compared } from '../../ui/review/compare.ts';
import type { ViewFile } from '../../ui/review/view-file.ts';
import { deskFileUrl } from '../job/send-deliverable.ts';

const shown = (file: File): ViewFile => ({
  ...file,
  url: file.status === 'uploaded' ? deskFileUrl(file.id) : null,
});

/** What the desk can look at and compare, oldest first: the deliveries and the next one, each with files. */
export function deskDeliveries(job: DeskJob, next: File[]): Compared[] {
  const delivered = job.deliveries.map(({ round, file_ids }) => ({
    round,
    label: `Delivery ${round + 1}`,
    files: file_ids.flatMap((id) => job.files.find((file) => file.id === id) ?? []),
  }));
  const round = job.revisions.used;
  return [...delivered, { round, label: `Delivery ${round + 1}`, files: next }]
    .filter(({ files }) => files.length > 0)
    .map((delivery) => ({ ...delivery, files: delivery.files.map(shown) }));
}

/** The delivery of a file, or the newest. */
export const deliveryWith = (deliveries: Compared[], fileId: string): Compared | undefined =>
  deliveries.find(({ files }) => files.some(({ id }) => id === fileId)) ?? deliveries.at(-1);
