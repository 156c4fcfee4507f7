import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newCustomer } from './jobs.ts';
import { environment, openService, type Service } from './harness.ts';

let service: Service;
let key: string;
beforeAll(async () => {
  service = await openService();
  key = (await newCustomer(service, 'studio')).key;
});
afterAll(() => service.close());

/** `atelier chat` in a process of its own, with these lines typed. */
async function chat(lines: string[], words: string[] = [], env: Record<string, string> = { ATELIER_KEY: key }) {
  const args = ['cli/atelier.ts', 'chat', '--url', service.url, ...words];
  const settings = { PATH: process.env.PATH, ...environment, ...env };
  const child = spawn(process.execPath, args, { cwd: new URL('..', import.meta.url).pathname, env: settings });
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { out, err, code };
}

test('a conversation leads to a brief, and /confirm to a job', async () => {
  const said = ['a logo', 'Rise Bakery', 'families', 'warm', 'signs', 'none', '', '/confirm'];
  const { out, err, code } = await chat(said, ['--family', 'design']);
  expect(code).toBe(0);
  expect(err).toMatch(/welcome to Design.*What is the brand name\?.*Here is your brief, version 1.*Write \/confirm/s);
  const [, id] = /^(job_\w{26}) is queued\.\n$/.exec(out)!;
  const { body } = await service.call('GET', `/api/v1/jobs/${id}`, { as: key });
  expect(body.job).toMatchObject({ source: 'intake', customer_title: 'Logo: Rise Bakery' });
});

test('a refused message does not end it; /quit does, and tells which conversation it was', async () => {
  const said = ['4242 4242 4242 4242', '/confirm', 'Rise', '/quit', 'never said'];
  const { out, err, code } = await chat(said, ['--family', 'design', '--option', 'logo']);
  expect([code, out]).toEqual([0, '']);
  expect(err).toMatch(
    /unsafe_request.*intake_session_conflict.*Who is the target audience\?.*conversation ise_\w{26}\.\n$/s,
  );
});

test('without a key, or with a family that the catalog lacks, it says what to do', async () => {
  const nobody = await chat([], ['--family', 'design'], {});
  expect([nobody.code, nobody.out]).toEqual([1, '']);
  expect(nobody.err).toContain('ATELIER_KEY');
  const unknown = await chat([], ['--family', 'alchemy']);
  expect(unknown.code).toBe(1);
  expect(unknown.err).toContain('unsupported_service');
  expect((await chat([])).code).toBe(2);
});
