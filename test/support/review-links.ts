import { expect } from 'vitest';
import { newDeliverable, someBytes } from './files.ts';
import type { As, Got, Service } from './harness.ts';
import { makeMoves, newJobIn, post, type Studio } from './jobs.ts';

type Maker = { service: Service; key: As };

/** A link made with the key of an account; `id` is its job. */
export async function newReviewLink({ service, key }: Maker, id: string, fields: object = {}) {
  const made = await post(service, key, `/api/v1/jobs/${id}/review-links`, { name: 'Marketing', ...fields });
  expect(made.status).toBe(201);
  const token: string = made.body.token;
  return { id, review_link_id: made.body.review_link.id as string, token, guest: { review: token }, body: made.body };
}

export const revoke = ({ service, key }: Maker, { id, review_link_id }: { id: string; review_link_id: string }) =>
  post(service, key, `/api/v1/jobs/${id}/review-links/${review_link_id}/revoke`);

export const readReview = (service: Service, guest: As): Promise<Got> =>
  service.call('GET', '/api/v1/review', { as: guest });

/** Submits and passes files of these names. */
export async function deliverTo(studio: Studio, job: string, ...names: string[]): Promise<string[]> {
  const { service, operator } = studio;
  const files: string[] = [];
  for (const file_name of names)
    files.push((await newDeliverable(service, operator.token, job, someBytes(), { file_name })).id);
  const path = `/api/operator/v1/jobs/${job}/submit`;
  const submitted = await post(service, operator.token, path, { message: 'Here it is.', file_ids: files });
  expect(submitted.status).toBe(200);
  if (submitted.body.job.status === 'needs_review') await makeMoves(studio, job, 'pass');
  return files;
}

/** A new job that waits for the customer's review of these files. */
export async function deliverFiles(studio: Studio, ...names: string[]) {
  const job = await newJobIn(studio, 'running');
  return { job, files: await deliverTo(studio, job, ...names) };
}

export const replyAsGuest = (service: Service, guest: As, commentId: string, text: string, name = 'Vera') =>
  post(service, guest, `/api/v1/review/comments/${commentId}/replies`, { name, text });

export const sayAsGuest = (service: Service, guest: As, file_id: string, text: string, fields: object = {}) =>
  post(service, guest, '/api/v1/review/comments', { name: 'Vera', file_id, text, ...fields });
