import { expect } from 'vitest';
import type { As, Got } from './harness.ts';
import { newDeliverable, newFile, someBytes } from './files.ts';
import { post, type Studio } from './jobs.ts';

export const say = (
  { service, key }: Studio,
  id: string,
  text: string,
  more: object = {},
  as: As = key,
  idempotencyKey?: string,
): Promise<Got> => post(service, as, `/api/v1/jobs/${id}/messages`, { text, ...more }, idempotencyKey);

export const sayAtDesk = (
  { service, operator }: Studio,
  id: string,
  text: string,
  more: object = {},
  as: As = operator.token,
  idempotencyKey?: string,
): Promise<Got> => post(service, as, `/api/operator/v1/jobs/${id}/messages`, { text, ...more }, idempotencyKey);

/** Asks the customer; the id of the question. */
export async function ask(studio: Studio, id: string, text = 'Which green?'): Promise<string> {
  const { status, body } = await sayAtDesk(studio, id, text, { question: true });
  expect(status).toBe(201);
  return body.message.id;
}

export const threadOf = async ({ service, key }: Studio, id: string, as: As = key) =>
  (await service.call('GET', `/api/v1/jobs/${id}/messages?limit=100`, { as })).body;

/** A completed upload for a message of the customer. */
export const newReference = async ({ service, key }: Studio, changes: object = {}): Promise<string> =>
  (await newFile(service, key, someBytes(), { purpose: 'job_reference', ...changes })).id;

/** A completed upload for a message of the studio. */
export const newDeskReference = async ({ service, operator }: Studio, jobId: string): Promise<string> =>
  (await newDeliverable(service, operator.token, jobId, someBytes(), { purpose: 'job_reference' })).id;
