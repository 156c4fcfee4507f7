import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { verifyWebhook } from '../../client/atelier.ts';
import { run } from '../../client/cli/run.ts';
import { freePort } from '../faults/process.ts';
import { runToEnd, start } from '../support/command-line.ts';
import { newDeliverable } from '../support/files.ts';
import { makeMoves, newJobIn, pathOf, post } from '../support/jobs.ts';
import { ask, sayAtDesk } from '../support/talk.ts';
import { createReceiver } from '../support/receiver.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../support/webhooks.ts';

/** The customers' command line on a job that is followed, delivered and fetched. */

let studio: Deliveries;
let folder: string;
beforeAll(async () => {
  const port = await freePort(); // its download addresses must lead back to it
  studio = await createDeliveries({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
  folder = mkdtempSync(join(tmpdir(), 'atelier-follow-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await closeDeliveries(studio);
});

const surroundings = (env: Record<string, string> = {}) => ({
  cwd: folder,
  env: { XDG_CONFIG_HOME: folder, ATELIER_URL: studio.service.url, ATELIER_KEY: studio.key, ...env },
});

const atelier = (args: string[], env?: Record<string, string>) => runToEnd(run, args, surroundings(env));

test('watch --forward-to posts what a webhook would post: same headers, same bytes, a signature that both verify', async () => {
  const { secret } = await newEndpoint(studio);
  const local = await createReceiver();
  const own = `whsec_${Buffer.from('my own secret of 24 bytes').toString('base64')}`;
  const id = await newJobIn(studio, 'queued');
  await makeMoves(studio, id, 'accept', 'start');
  local.answer(({ event }, response) => response.writeHead(event.type === 'job.accepted' ? 503 : 204).end());
  const watching = start(run, ['watch', id, '--all', '--forward-to', local.url, '--secret', own], surroundings());
  let said = '';
  watching.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
  await vi.waitFor(() => expect(local.received).toHaveLength(3), { timeout: 30_000 });
  await vi.waitFor(() => expect(said).toMatch(/created {2}204\n.*accepted {2}503\n.*started {2}204\n/s), {
    timeout: 30_000,
  });
  await makeMoves(studio, id, 'submit', 'pass');
  expect(await watching.ended).toBe(0);
  const idsOf = (receiver: typeof local) => receiver.received.map(({ event }) => event.id as string);
  await vi.waitFor(() => expect(idsOf(studio.receiver)).toEqual(expect.arrayContaining(idsOf(local))), {
    timeout: 30_000,
  });

  for (const { headers, text: body, event } of local.received) {
    const real = studio.receiver.received.find((delivery) => delivery.event.id === event.id)!;
    expect(body).toBe(real.text);
    expect(Object.keys(headers).toSorted()).toEqual(Object.keys(real.headers).toSorted());
    for (const name of ['content-type', 'content-length', 'user-agent', 'webhook-id'])
      expect(headers[name], name).toBe(real.headers[name]);
    expect(await verifyWebhook(headers, body, own)).toEqual(event);
    expect(new Webhook(own).verify(body, headers as Record<string, string>)).toMatchObject({ data: event });
    await expect(verifyWebhook(headers, body, secret)).rejects.toMatchObject({ reason: 'signature' });
  }
  expect(said).not.toContain(own);
  await local.close();
}, 60_000);

test.each([
  ['no secret', ['--forward-to', 'http://localhost:1']],
  ['no address', ['--secret', 'whsec_bWluZQ==']],
  ['a secret of another form', ['--forward-to', 'http://localhost:1', '--secret', 'mine-and-only-mine']],
  ['an address of another kind', ['--forward-to', 'localhost:1', '--secret', 'whsec_bWluZQ==']],
])('watch --forward-to with %s is misused, and the secret is not repeated', async (_, options) => {
  const { code, err } = await atelier(['watch', ...options]);
  expect(code).toBe(2);
  expect(err).not.toMatch(/mine-and-only|bWluZQ/);
});

test('job shows message, deadlines and rounds; download JOB takes the newest delivery, never over a file', async () => {
  const id = await newJobIn(studio, 'running');
  const files = [];
  for (const name of ['logo.txt', 'logo.txt', 'notes.txt'])
    files.push(await newDeliverable(studio.service, studio.operator.token, id, Buffer.from(name), { file_name: name }));
  const submit = { message: 'Two versions.\nPick one.', file_ids: files.map((file) => file.id) };
  expect((await post(studio.service, studio.operator.token, pathOf('submit', id), submit)).status).toBe(200);
  expect((await atelier(['download', id])).err).toContain('no delivery yet');
  await makeMoves(studio, id, 'pass');

  const { out } = await atelier(['job', id]);
  expect(out).toMatch(/^review until: \d{4}-.*Z; /m);
  expect(out).toMatch(/^rounds 0 of \d+$/m);
  expect(out).toMatch(/^delivery 0 {2}.*Z {2}3 files\n {2}Two versions\.\n {2}Pick one\.$/m);

  writeFileSync(join(folder, 'notes.txt'), 'mine');
  const refused = await atelier(['download', id]);
  expect([refused.code, refused.out]).toEqual([2, '']);
  expect([readFileSync(join(folder, 'notes.txt'), 'utf8'), existsSync(join(folder, 'logo.txt'))]).toEqual([
    'mine',
    false,
  ]);
  const { code, out: saved } = await atelier(['download', id, '--output', 'delivery']);
  expect(code).toBe(0);
  const second = files.map((file) => `${file.id}-logo.txt`).find((name) => saved.includes(name)) ?? '';
  const names = ['logo.txt', second, 'notes.txt'];
  expect(saved.trim().split('\n').toSorted()).toEqual(names.map((name) => `delivery/${name}`).toSorted());
  for (const name of names)
    expect(readFileSync(join(folder, 'delivery', name), 'utf8')).toBe(name.replace(/^file_\w+-/, ''));
  expect((await atelier(['download', id, '--output', 'delivery'])).code).toBe(2);
}, 60_000);

test('messages shows the thread, as text only; message sends one with a file', async () => {
  const id = await newJobIn(studio, 'running');
  writeFileSync(join(folder, 'green.txt'), 'dark green');
  expect((await atelier(['messages', id])).err).toContain('No messages.');
  const trick = 'Fine.\u001b]0;owned\u0007\u202eexe.fdp\r2026-01-01T00:00:00.000Z  studio\n  forged';
  await sayAtDesk(studio, id, trick);
  const { out: sent, code } = await atelier(['message', id, 'Like this one.', '--attach', 'green.txt']);
  expect(code).toBe(0);
  expect(sent).toMatch(/^msg_\w+\n$/);
  const { out } = await atelier(['messages', id]);
  expect(out).toMatch(
    /^\S+Z {2}studio The studio\n {2}Fine\. .*\n {4}forged\n\S+Z {2}customer test key\n {2}Like this one\.\n {2}file file_\w+\n$/,
  );
  expect(out).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  const lines = (await atelier(['messages', id, '--json'])).out.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).text)).toEqual([trick, 'Like this one.']);
  expect(lines.join()).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
}, 60_000);

test('job shows the new due date and why the studio moved it, as text only', async () => {
  const id = await newJobIn(studio, 'running');
  const due_at = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const reason = 'The printer is late.\u001b]0;owned\u0007\n2026-01-01T00:00:00.000Z  job.completed';
  await post(studio.service, studio.operator.token, `/api/operator/v1/jobs/${id}/reschedule`, { due_at, reason });
  const { out } = await atelier(['job', id]);
  expect(out).toContain(`due: ${due_at}\n`);
  expect(out).toMatch(/^\S+Z {2}job\.due_date_changed {2}.* Now \S+Z\.\n {2}The printer is late\..*\n {2}2026-01-01/m);
  expect(out).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
}, 60_000);

test('a question ends a watch with 1 and says how to answer; the answer lets it go on', async () => {
  const id = await newJobIn(studio, 'running');
  const watching = atelier(['watch', id]);
  await ask(studio, id, 'Which green?\nDark or light?');
  const told = expect.stringContaining(
    'The studio asks:\n  Which green?\n  Dark or light?\nAnswer with: atelier message',
  );
  expect(await watching).toMatchObject({ code: 1, err: told });
  expect(await atelier(['watch', id])).toMatchObject({ code: 1, err: told });
  const { out: shown } = await atelier(['job', id]);
  expect(shown).toMatch(/^ {2}Which green\?$/m);
  expect(shown).toMatch(/^allowed: .*answer/m);
  expect((await atelier(['message', id, 'Dark.'])).code).toBe(0);
  const again = atelier(['watch', id]);
  await makeMoves(studio, id, 'submit', 'pass');
  const words = new RegExp(
    `^The studio says:\\n {2}The first version\\.\\nNext: atelier job ${id}, then: atelier approve ${id}`,
  );
  expect(await again).toMatchObject({ code: 0, err: expect.stringMatching(words) });
}, 60_000);

test('watch begins where the job stands, with --all at its first event', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review');
  const last = expect.stringMatching(/^\S+Z {2}job\.ready_for_customer_review {2}[^\n]+\n$/);
  expect(await atelier(['watch', id])).toMatchObject({ code: 0, out: last });
  const { out } = await atelier(['watch', id, '--all', '--json']);
  const types = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).type);
  expect([types[0], types.at(-1)]).toEqual(['job.created', 'job.ready_for_customer_review']);
  await makeMoves(studio, id, 'approve');
  expect(await atelier(['watch', id])).toMatchObject({ code: 0, err: expect.not.stringContaining('atelier approve') });
  const rejected = await newJobIn(studio, 'rejected');
  expect((await atelier(['watch', rejected])).err).toMatch(/^The studio says:\n {2}\S/);
});

test('open prints the page of a job and starts the browser with it', async () => {
  const browser = join(folder, 'browser.sh');
  writeFileSync(browser, `#!/bin/sh\necho "$1" > ${join(folder, 'opened')}\n`);
  chmodSync(browser, 0o755);
  const { out, code } = await atelier(['open', 'job_1; rm'], { BROWSER: browser });
  expect([out, code]).toEqual([`${studio.service.url}/jobs/job_1%3B%20rm\n`, 0]);
  await vi.waitFor(() => expect(readFileSync(join(folder, 'opened'), 'utf8')).toBe(out), { timeout: 30_000 });
  expect(await atelier(['open'])).toEqual({ out: `${studio.service.url}/\n`, err: '', code: 0 });
  expect((await atelier(['open'], { BROWSER: '/no/such/browser' })).err).toContain('Open the address yourself.');
});

test.each([
  ['craete', 'Did you mean create?'],
  ['prefligth', 'Did you mean preflight?'],
  ['jbos', 'Did you mean jobs?'],
])('%s: %s', async (word, suggestion) => {
  expect((await atelier([word])).err).toContain(suggestion);
});

test('a word that is close to no command is not guessed at; operations are suggested, too', async () => {
  expect((await atelier(['zzzzzz'])).err).not.toContain('Did you mean');
  expect((await atelier(['api', 'creatJob'])).err).toContain('Did you mean createJob?');
});

test('the front matter of a draft is YAML', async () => {
  const draft = (head: string) => {
    writeFileSync(join(folder, 'draft.md'), `---\n${head}\n---\nBrand name: Rise Bakery\n`);
    return atelier(['create', '--file', 'draft.md', '--json']);
  };
  const head =
    'family: design\ntype: "logo"\ntitle: >\n  A logo: round,\n  and green\nreference: 0042\nmetadata:\n  shop: "7"';
  const { out, err } = await draft(head);
  expect(err).not.toMatch(/^error/);
  const { body } = await studio.service.call('GET', `/api/v1/jobs/${JSON.parse(out).job.id}`, { as: studio.key });
  expect(body.job).toMatchObject({
    customer_title: 'A logo: round, and green',
    reference: '0042',
    metadata: { shop: '7' },
  });
  for (const wrong of [
    'family: design\nno colon here',
    '- family',
    'family: design\nfamily: writing',
    'title: A: B',
    'title: *Bold*',
    `${'{'.repeat(20)}${'}'.repeat(20)}`,
  ]) {
    const refused = await draft(wrong);
    expect([refused.code, refused.err], wrong).toEqual([2, expect.stringContaining('is not valid YAML')]);
  }
  const long = await draft(Array.from({ length: 2_000 }, (_, i) => `k${i}: 1`).join('\n'));
  expect([long.code, long.err]).toEqual([2, expect.stringContaining('has more than 10000 characters')]);
}, 60_000);

test('a draft is read from standard input; where one attachment is missing nothing is uploaded', async () => {
  const input = '{"family":"design","type":"logo","title":"A","instructions":"Brand name: Rise."}';
  const made = await runToEnd(run, ['create', '--file', '-', '--json'], { ...surroundings(), input });
  expect(JSON.parse(made.out).job.id).toMatch(/^job_/);

  const files = async () => (await studio.service.call('GET', '/api/v1/files', { as: studio.key })).body.files.length;
  const before = await files();
  writeFileSync(join(folder, 'brand.txt'), 'hello');
  const draft = ['--family', 'design', '--type', 'logo', '--title', 'A', '--instructions', 'x'];
  const refused = await atelier(['create', ...draft, '--attach', 'brand.txt', '--attach', 'nope.txt']);
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('nope.txt')]);
  expect(await files()).toBe(before);
});
