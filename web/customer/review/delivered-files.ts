import type { Delivery, Job } from '../../app/api.ts';
import type { Compared } from '../../ui/review/compare.ts';
import type { ViewFile } from '../../ui/review/view-file.ts';
import { downloadUrl } from '../jobs/job-story.ts';

/** In the order of the studio. */
export const filesOf = (job: Job, { file_ids }: Delivery): ViewFile[] =>
  file_ids.flatMap((id) => {
    const file = job.files.find((file) => file.id === id);
    return file ? [{ ...file, url: file.status === 'uploaded' ? downloadUrl(id) : null }] : [];
  });

/** The newest delivery, unless the file belongs to another. */
export const deliveryOf = (job: Job, fileId: string | undefined): Delivery | undefined =>
  job.deliveries.find(({ file_ids }) => fileId !== undefined && file_ids.includes(fileId)) ?? job.deliveries.at(-1);

/** Those with files, oldest first. */
export const comparedDeliveries = (job: Job): Compared[] =>
  job.deliveries
    .map((delivery) => ({ ...delivery, label: `Delivery ${delivery.round + 1}`, files: filesOf(job, delivery) }))
    .filter(({ files }) => files.length > 0);
