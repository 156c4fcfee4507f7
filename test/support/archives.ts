import { expect } from 'vitest';
import { bytesOf, reachable } from './files.ts';
import type { As, Got } from './harness.ts';
import { post, type Studio } from './jobs.ts';
import { unzip } from './zip.ts';

type Terms = { round?: number; lease_token?: string; job_id?: string };

export const createArchive = ({ service }: Studio, as: As, job: string, body: Terms = {}): Promise<Got> =>
  post(service, as, `/api/v1/jobs/${job}/archive`, body);

export const createJobArchive = ({ service }: Studio, as: As, job: string, body: Terms = {}): Promise<Got> =>
  post(service, as, `/api/operator/v1/jobs/${job}/archive`, body);

export const createReviewArchive = ({ service }: Studio, as: As, body: Terms = {}): Promise<Got> =>
  post(service, as, '/api/v1/review/archive', body);

/** Its entries and headers. Its length must be as announced. */
export async function fetchArchive({ service }: Studio, url: string) {
  const answer = await fetch(reachable(service, url));
  const bytes = await bytesOf(answer);
  expect([answer.status, Number(answer.headers.get('content-length'))]).toEqual([200, bytes.length]);
  return { entries: unzip(bytes), headers: answer.headers };
}

export async function namesIn(studio: Studio, { status, body }: Got): Promise<string[]> {
  expect(status).toBe(200);
  const { entries } = await fetchArchive(studio, body.download.url);
  expect(entries.length).toBe(body.files);
  return entries.map(({ name }) => name);
}

/** What an answer that leads to an archive has in it. No cache may keep the answer. */
export async function namesAfter(studio: Studio, { status, headers }: Got): Promise<string[]> {
  expect([status, headers.get('cache-control')]).toEqual([303, 'no-store']);
  const { entries } = await fetchArchive(studio, headers.get('location') ?? '');
  return entries.map(({ name }) => name);
}
