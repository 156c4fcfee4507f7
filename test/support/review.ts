import { expect } from 'vitest';
import { bytesFor, newDeliverable } from './files.ts';
import type { As, Got } from './harness.ts';
import { makeMoves, newJobIn, post, type Studio } from './jobs.ts';

export type Delivered = { id: string; file: string };

/** Submits a file of this type for a job and passes it. */
export async function deliver(studio: Studio, id: string, content_type = 'image/png'): Promise<string> {
  const { service, operator } = studio;
  const { id: file } = await newDeliverable(service, operator.token, id, bytesFor(content_type), { content_type });
  const submitted = await post(service, operator.token, `/api/operator/v1/jobs/${id}/submit`, { file_ids: [file] });
  expect(submitted.status).toBe(200);
  await makeMoves(studio, id, 'pass');
  return file;
}

/** A job with a delivered file of this type, ready for review. */
export async function newDelivery(studio: Studio, content_type = 'image/png'): Promise<Delivered> {
  const id = await newJobIn(studio, 'running');
  return { id, file: await deliver(studio, id, content_type) };
}

export const comment = (
  { service, key }: Studio,
  { id, file }: Delivered,
  text: string,
  at?: string,
  as: As = key,
  idempotencyKey?: string,
): Promise<Got> =>
  post(service, as, `/api/v1/jobs/${id}/comments`, { file_id: file, text, ...(at ? { at } : {}) }, idempotencyKey);

/** A reply of a member or key, with the comment that it is to. */
export const reply = (
  { service, key }: Studio,
  id: string,
  commentId: string,
  text: string,
  as: As = key,
): Promise<Got> => post(service, as, `/api/v1/jobs/${id}/comments/${commentId}/replies`, { text });

export const settle = (
  { service, key }: Studio,
  id: string,
  commentId: string,
  settled = true,
  as: As = key,
): Promise<Got> => service.call('PUT', `/api/v1/jobs/${id}/comments/${commentId}/settled`, { as, body: { settled } });

export const commentsOf = async ({ service, key }: Studio, id: string, query = '', as: As = key) =>
  (await service.call('GET', `/api/v1/jobs/${id}/comments${query}`, { as })).body.comments;

/** A job whose customer has requested a revision with these comments. */
export async function newRevision(studio: Studio, ...texts: string[]): Promise<Delivered & { comments: string[] }> {
  const delivery = await newDelivery(studio);
  const comments: string[] = [];
  for (const text of texts) comments.push((await comment(studio, delivery, text)).body.comment.id);
  const revised = await post(studio.service, studio.key, `/api/v1/jobs/${delivery.id}/revision`, { round: 0 });
  expect(revised.status).toBe(200);
  return { ...delivery, comments };
}

export const check = (
  { service, operator }: Studio,
  id: string,
  commentId: string,
  verb: 'done' | 'reopen' = 'done',
  body: object = {},
  as: As = operator.token,
): Promise<Got> => post(service, as, `/api/operator/v1/jobs/${id}/comments/${commentId}/${verb}`, body);

export const deskCommentsOf = (
  { service, operator }: Studio,
  id: string,
  query = '',
  as: As = operator.token,
): Promise<Got> => service.call('GET', `/api/operator/v1/jobs/${id}/comments${query}`, { as });
