import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newCustomer } from '../support/jobs.ts';
import { environment, createService, type Service } from '../support/harness.ts';

let service: Service;
let key: string;
beforeAll(async () => {
  service = await createService();
  key = (await newCustomer(service, 'studio')).key;
});
afterAll(() => service.close());

/** `atelier chat` in a process of its own, with these lines typed. */
async function chat(lines: string[], words: string[] = [], env: Record<string, string> = { ATELIER_KEY: key }) {
  const args = ['cli/admin.ts', 'chat', '--url', service.url, ...words];
  const settings = { PATH: process.env.PATH, ...environment, ...env };
  const child = spawn(process.execPath, args, { cwd: new URL('../..', import.meta.url).pathname, env: settings });
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

test('a refused message does not end it; /quit does: no job, so 1, and how to go on', async () => {
  const said = ['4242 4242 4242 4242', '/confirm', 'Rise', '/quit', 'never said'];
  const { out, err, code } = await chat(said, ['--family', 'design', '--option', 'logo']);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/unsafe_request.*intake_session_conflict.*Who is the target audience\?.*no job is ordered/s);
  const [, id] = /chat --session (ise_\w{26})\n$/.exec(err)!;

  const further = await chat(['families', 'warm', 'signs', 'none', '/confirm'], ['--session', id!]);
  expect(further.code).toBe(0);
  expect(further.err).toMatch(new RegExp(`Conversation ${id}.*Who is the target audience.*Brand name: Rise`, 's'));
  const ended = await chat([], ['--session', id!]);
  expect([ended.code, ended.err]).toEqual([1, expect.stringMatching(/is confirmed: it became job_\w{26}/)]);
});

test('a command that there is not is no message either', async () => {
  const { err, code } = await chat(['/help', '/order now', '/home/rise'], ['--family', 'design', '--option', 'logo']);
  expect(code).toBe(1);
  expect(err).toMatch(
    /Conversation ise_\w{26}\. \/help shows.*order the job, once the brief is ready.*no command \/order now/s,
  );
  const [, id] = /--session (ise_\w{26})/.exec(err)!;
  const { body } = await service.call('GET', `/api/v1/intake/sessions/${id}`, { as: key });
  const said = body.session.messages.filter(({ role }: { role: string }) => role === 'customer');
  expect(said.map(({ content }: { content: string }) => content)).toEqual(['/home/rise']);
});

test('without a key, or with a family that the catalog lacks, it says what to do', async () => {
  const nobody = await chat([], ['--family', 'design'], {});
  expect([nobody.code, nobody.out]).toEqual([1, '']);
  expect(nobody.err).toContain('ATELIER_KEY');
  const unknown = await chat([], ['--family', 'alchemy']);
  expect(unknown.code).toBe(1);
  expect(unknown.err).toContain('unsupported_service');
  expect((await chat([])).code).toBe(2);
  expect((await chat([], ['--session', 'ise_x', '--family', 'design'])).code).toBe(2);
  expect((await chat([], ['--session', 'ise_x'])).err).toContain('intake_session_not_found');
});
