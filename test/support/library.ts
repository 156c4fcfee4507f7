import { sql } from 'kysely';
import type { Db } from '../../server/db/pool.ts';
import { newFile, someBytes } from './files.ts';
import type { As, Got } from './harness.ts';
import { makeMoves, post, type Studio } from './jobs.ts';
import { deliverFiles, deliverTo } from './review-links.ts';

/** The same for a job with `brief.png` of the customer. */
export async function finishBriefedJob(studio: Studio, ...names: string[]) {
  const { job, files: earlier } = await deliverFiles(studio, 'first.png');
  const { id } = await newFile(studio.service, studio.key, someBytes(), { job_id: job, file_name: 'brief.png' });
  return { ...(await finish(studio, job, names)), earlier, own: id };
}

/** A completed job whose last delivery has these files; an earlier one has `first.png`. */
export async function finishJob(studio: Studio, ...names: string[]) {
  const { job, files: earlier } = await deliverFiles(studio, 'first.png');
  return { ...(await finish(studio, job, names)), earlier };
}

async function finish(studio: Studio, job: string, names: string[]) {
  await makeMoves(studio, job, 'revision', 'start');
  const files = await deliverTo(studio, job, ...names);
  await makeMoves(studio, job, 'approve');
  return { job, files };
}

export const readLibrary = ({ service }: Studio, as: As, query = ''): Promise<Got> =>
  service.call('GET', `/api/v1/library${query}`, { as });

export const titlesIn = async (studio: Studio, as: As, query = ''): Promise<string[]> =>
  (await readLibrary(studio, as, query)).body.jobs.map(
    ({ customer_title: title }: { customer_title: string }) => title,
  );

/** Makes the files of a job leave so many days from now. */
export const letLeave = (db: Db, jobId: string, days: number) =>
  sql`
    with ended as (
      update jobs set status_changed_at = now() - interval '90 days' + make_interval(days => ${days}) where id = ${jobId}
      returning id)
    update files set uploaded_at = now() - interval '90 days' + make_interval(days => ${days}), retention_days = 90
    where job_id in (select id from ended)`.execute(db);

export const newShowLink = async ({ service, key }: Pick<Studio, 'service' | 'key'>, body: object, as: As = key) => {
  const made = await post(service, as, '/api/v1/show-links', { name: 'Our printer', ...body });
  return { ...made, guest: { review: made.body.token as string } };
};

export const listShowLinks = async ({ service, key }: Studio) =>
  (await service.call('GET', '/api/v1/show-links', { as: key })).body.show_links;

export const revokeShowLink = ({ service, key }: Studio, id: string) =>
  post(service, key, `/api/v1/show-links/${id}/revoke`);
