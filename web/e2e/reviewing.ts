import { writeFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import type { Person, Service } from './start-service.ts';
import { deliver, move, newJob } from './studio.ts';

const fixture = (name: string) => new URL(`fixtures/${name}`, import.meta.url);

type Ids = Record<string, string>;

/** Delivers files and answers their ids by name. */
export async function deliverFiles(service: Service, job: string, ...names: string[]): Promise<Ids> {
  return deliverAll(service, job, Object.fromEntries(names.map((name) => [name, fixture(name)])));
}

/** Delivers files that a test has made. */
export async function deliverMade(service: Service, job: string, files: Record<string, string | Uint8Array>) {
  const paths = Object.keys(files).map((name) => [name, test.info().outputPath(name)] as const);
  for (const [name, path] of paths) writeFileSync(path, files[name] ?? '');
  return deliverAll(service, job, Object.fromEntries(paths));
}

async function deliverAll(service: Service, job: string, paths: Record<string, URL | string>): Promise<Ids> {
  const ids: Ids = {};
  for (const [name, path] of Object.entries(paths)) ids[name] = await deliver(service, job, path);
  await move(service, job, { submit: { file_ids: Object.values(ids), message: 'Here it is.' } }, 'pass');
  return ids;
}

/** A job whose first delivery waits for the customer, and what its comments are. */
export async function newDelivery(service: Service, customer: Person, ...names: string[]) {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  const files = await deliverFiles(service, job, ...names);
  const comments = async (): Promise<{ text: string; at: string | null; number: number; file_id: string }[]> =>
    (await service.call('GET', `/api/v1/jobs/${job}/comments`, customer.token)).comments;
  return { job, files, comments };
}

type NewComment = { file_id: string | undefined; text: string; at?: string };

/** Asks for changes with these comments, and the studio starts. Answers the ids of the comments. */
export async function askForChanges(service: Service, customer: Person, job: string, comments: NewComment[]) {
  const before = `/api/operator/v1/jobs/${job}/comments`;
  const earlier: string[] = (await service.call('GET', before, service.operatorToken)).comments.map(idOf);
  await service.call('POST', `/api/v1/jobs/${job}/revision`, customer.token, { comments });
  await move(service, job, 'start');
  const { comments: sent } = await service.call('GET', before, service.operatorToken);
  return (sent as { id: string }[]).map(idOf).filter((id) => !earlier.includes(id));
}

const idOf = ({ id }: { id: string }) => id;

/** The operator marks a comment as done. */
export const complete = (service: Service, job: string, comment: string | undefined, note: string) =>
  service.call('POST', `/api/operator/v1/jobs/${job}/comments/${comment}/done`, service.operatorToken, { note });

export async function openReview(page: Page, job: string, file: string | undefined, view = ''): Promise<void> {
  await page.goto(`/jobs/${job}?review=${file}${view}`);
  await expect(page.getByRole('button', { name: 'Close the review' })).toBeVisible();
}

/** Where a comment is written. */
export const field = (page: Page) => page.getByRole('textbox', { name: /^Comment \d+$/ });
