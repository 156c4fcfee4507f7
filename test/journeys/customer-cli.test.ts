import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect as connectTo, createServer as createLine, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toolEndpoints } from '../../server/mcp/tools.ts';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { freePort } from '../faults/process.ts';
import { type Run, runToEnd, start } from '../support/command-line.ts';
import { newDeliverable, someBytes } from '../support/files.ts';
import {
  createStudio,
  draft,
  makeMoves,
  newCustomer,
  newJob,
  newJobIn,
  pathOf,
  post,
  setPlan,
  type Studio,
} from '../support/jobs.ts';
import { makeKey } from '../support/people.ts';
import { adjustmentFor, sendAdjustment } from '../support/quota.ts';
import { newReviewLink, sayAsGuest } from '../support/review-links.ts';
import { check, comment, commentsOf, deskCommentsOf, newDelivery } from '../support/review.ts';

/**
 * The customers' command line, from the packed file in an empty folder, as a customer has it. Its commands run
 * in this process. Some tests start one, for what only a process has: exit codes, signals, pipes, a terminal, a
 * host of MCP, and the shell that runs the commands of the chapters.
 */

const run = promisify(execFile);
let studio: Studio;
let folder: string;
let file: string;
let packed: Run;
beforeAll(async () => {
  // Uploads lead to the public address, so the port is chosen before the start.
  const port = await freePort();
  studio = await createStudio({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
  folder = mkdtempSync(join(tmpdir(), 'atelier-cli-'));
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const { stdout } = await run('npm', ['pack', './client', '--silent', '--pack-destination', folder], { cwd });
  writeFileSync(join(folder, 'package.json'), '{}');
  const yaml = join(cwd, 'node_modules/yaml'); // its one dependency, which may be in no cache
  file = `./${stdout.trim().split('\n').at(-1)}`;
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', file, yaml], { cwd: folder });
  ({ run: packed } = await import(join(folder, 'node_modules/atelier-client/dist/cli/run.js')));
}, 120_000);
afterAll(async () => {
  await studio.service.close();
  rmSync(folder, { recursive: true });
});

const surroundings = (env: Record<string, string | undefined> = {}) => ({
  cwd: folder,
  env: { XDG_CONFIG_HOME: folder, ATELIER_URL: studio.service.url, ATELIER_KEY: studio.key, ...env },
});

/** `atelier …` in the folder, with this on standard input. */
const atelier = (
  args: string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string | undefined> } = {},
) => runToEnd(packed, args, { ...surroundings(env), input });

/** A command that runs on: the lines that it has written so far, and how it ends. */
function follow(args: string[], env: Record<string, string> = {}) {
  const { stdin, stdout, stderr, ended } = start(packed, args, surroundings(env));
  stdin.end();
  stderr.resume();
  let out = '';
  stdout.setEncoding('utf8').on('data', (part: string) => (out += part));
  return { ended, lines: () => out.split('\n').slice(0, -1) };
}

/** For a process that finds the installed program in its PATH. */
const installed = () => surroundings({ PATH: `${join(folder, 'node_modules/.bin')}:${process.env['PATH']}` });

/** A command on a terminal of its own, with this typed. */
async function onTerminal(command: string, typed: string): Promise<{ out: string; code: number | null }> {
  const args =
    process.platform === 'linux' ? ['-qec', command, '/dev/null'] : ['-q', '/dev/null', ...command.split(' ')];
  const child = spawn('script', args, installed());
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    out += part;
    if (part.includes('[y/N]')) child.stdin.end(typed);
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { out, code };
}

/** The service at an address whose connections can be broken. */
async function breakableLine(to: string) {
  const open = new Set<Socket>();
  let broken = false;
  const line = createLine((socket) => {
    if (broken) return socket.destroy();
    const onward = connectTo(Number(new URL(to).port), '127.0.0.1');
    for (const end of [socket, onward]) end.on('error', () => end.destroy()).on('close', () => open.delete(end));
    open.add(socket).add(onward);
    socket.pipe(onward).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(line, 'listening');
  const breakAll = () => {
    broken = true;
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(line.address() as AddressInfo).port}`,
    break: breakAll,
    mend: () => (broken = false),
    close() {
      breakAll();
      line.close();
    },
  };
}

const flags = ['--family', 'design', '--type', 'logo', '--title', draft.customer_title];
const front = `---\nfamily: design\ntype: logo\ntitle: From a file\n---\nBrand name: Rise Bakery.\n`;

describe('commands', () => {
  test('help for each command shows its options and an example; --help is done, nothing at all is misused', async () => {
    const { out, code } = await atelier(['--help']);
    expect(code).toBe(0);
    const names = [...out.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name ?? '');
    expect(names).toEqual(expect.arrayContaining(['login', 'create', 'watch', 'chat', 'api', 'mcp', 'completion']));
    for (const name of names) {
      const help = await atelier([name, '--help']);
      expect([help.code, help.out], name).toEqual([0, expect.stringMatching(/Usage: atelier .*--json.*Examples:/s)]);
    }
    expect((await atelier([])).code).toBe(2);
  }, 120_000);

  test('a key is checked, kept for this user alone, and forgotten', async () => {
    const env = { ATELIER_URL: '', ATELIER_KEY: undefined };
    const wrong = await atelier(['login', '--url', studio.service.url], { input: 'atl_wrong\n', env });
    expect(wrong.code).toBe(3);
    const wrapped = `Bearer ${studio.key.slice(0, 40)}\n${studio.key.slice(40)}\n`;
    const done = await atelier(['login', '--url', studio.service.url], { input: wrapped, env });
    expect([done.code, done.out]).toEqual([0, '']);
    const kept = join(folder, 'atelier/profiles.json');
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect(readFileSync(kept, 'utf8')).toContain(studio.key);
    expect((await atelier(['whoami'], { env: { ATELIER_KEY: `"${studio.key}"\u200b` } })).code).toBe(0);
    const me = await atelier(['whoami', '--json'], { env: { ATELIER_URL: undefined, ATELIER_KEY: undefined } });
    expect(JSON.parse(me.out).auth.method).toBe('api_key');
    expect((await atelier(['logout'])).code).toBe(0);
    for (const words of [['jobs'], ['whoami'], ['mcp']])
      expect((await atelier(words, { env: { ATELIER_KEY: undefined } })).code).toBe(3);
  }, 60_000);

  test('a reference and metadata go along, and jobs are listed by the reference', async () => {
    const own = ['--reference', 'PO 1=2', '--metadata', 'campaign=spring', '--metadata', 'query=a=b'];
    const made = await atelier(['create', ...flags, '--instructions', 'Green', ...own]);
    expect(made.code).toBe(0);
    expect((await atelier(['jobs', '--reference', 'PO 1=2'])).out).toContain(made.out.trim());
    expect((await atelier(['jobs', '--reference', 'PO 1'])).out).toBe('');
    const { out } = await atelier(['job', made.out.trim()]);
    for (const line of ['reference: PO 1=2', 'metadata campaign=spring', 'metadata query=a=b'])
      expect(out.split('\n')).toContain(line);
    const wrong = await atelier(['create', ...flags, '--instructions', 'Green', '--metadata', 'spring']);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('KEY=VALUE')]);

    const id = made.out.trim();
    const change = ['--reference', 'PO 3', '--metadata', 'campaign=autumn', '--wanted-by', '2999-12-05T12:00Z'];
    expect(await atelier(['update', id, ...change])).toMatchObject({ code: 0, out: `${id}\n` });
    const changed = (await atelier(['job', id])).out;
    for (const line of ['reference: PO 3', 'metadata campaign=autumn', 'wished for: 2999-12-05T12:00:00.000Z'])
      expect(changed.split('\n')).toContain(line);
    expect(changed).not.toContain('query=a=b');
    const cleared = await atelier(['update', id, '--clear', 'reference', '--clear', 'wanted-by', '--json']);
    expect(JSON.parse(cleared.out)).toMatchObject({
      reference: null,
      wanted_by: null,
      metadata: { campaign: 'autumn' },
    });
    for (const words of [[], ['--clear', 'title'], ['--reference', 'x', '--clear', 'reference']])
      expect((await atelier(['update', id, ...words])).code, words.join(' ')).toBe(2);
    await atelier(['cancel', id, '--yes']);
    expect((await atelier(['update', id, '--reference', 'late'])).code).toBe(5);
  }, 60_000);

  test('templates are listed by id, service and name', async () => {
    expect((await atelier(['templates'])).err).toContain('No templates.');
    const body = { name: 'Monthly leaflet', service_family: 'design', service_type: 'logo' };
    const made = await studio.service.call('POST', '/api/v1/templates', { as: studio.key, body });
    const { id } = made.body.template;
    expect((await atelier(['templates'])).out).toMatch(
      new RegExp(`^${id} +logo +\\d{4}-\\d\\d-\\d\\d +test key +Monthly leaflet`),
    );
    expect(JSON.parse((await atelier(['templates', '--json'])).out)).toMatchObject({ id, ...body });
    expect((await atelier(['templates', 'lose'])).code).toBe(2);
  }, 60_000);

  test('a job and a draft are saved as templates, which are used by name and deleted', async () => {
    const { service, key } = studio;
    const job = (await atelier(['create', ...flags, '--instructions', 'Brand name: Rise Bakery'])).out.trim();
    const saved = await atelier(['templates', 'save', 'A bakery', '--job', job]);
    expect(saved).toMatchObject({ code: 0, out: expect.stringMatching(/^tpl_\w{26}\n$/) });
    const used = await atelier(['templates', 'use', 'a BAKERY']);
    const draft = used.out.trim();
    expect([used.code, used.err]).toEqual([0, expect.stringContaining(`atelier chat --session ${draft}`)]);
    const { body } = await service.call('GET', '/api/v1/intake/sessions?status=open', { as: key });
    expect(body.intake_sessions).toMatchObject([
      { id: draft, answers: [{ requirement: 'Brand name', answer: 'Rise Bakery', source: 'copied' }] },
    ]);

    const replace = ['templates', 'save', 'Bakeries', '--draft', draft, '--replace', 'A bakery', '--json'];
    expect(JSON.parse((await atelier(replace)).out)).toMatchObject({ id: saved.out.trim(), name: 'Bakeries' });
    const taken = await atelier(['templates', 'save', 'bakeries', '--draft', draft]);
    expect([taken.code, taken.err.split('is the name of another template').length]).toEqual([2, 2]);
    expect((await atelier(['templates', 'save', 'Neither'])).code).toBe(2);
    expect((await atelier(['templates', 'use', 'Nobody'])).err).toContain('atelier templates');
    expect((await atelier(['templates', 'delete', 'Bakeries'])).code).toBe(2);
    expect(await atelier(['templates', 'delete', 'Bakeries', '--yes'])).toMatchObject({ code: 0, out: 'deleted\n' });
    await service.call('POST', `/api/v1/intake/sessions/${draft}/close`, { as: key });
    await atelier(['cancel', job, '--yes']);
  }, 60_000);

  test('a wish goes along and is shown; preflight says if it does not fit, and a passed one is refused', async () => {
    const draft = [...flags, '--instructions', 'Green', '--wanted-by'];
    const made = await atelier(['create', ...draft, '2999-12-05T14:00+02:00']);
    expect((await atelier(['job', made.out.trim()])).out).toContain('wished for: 2999-12-05T12:00:00.000Z');
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const checked = await atelier(['preflight', ...draft, soon]);
    expect(checked.err).toContain('after your wish');
    const passed = await atelier(['create', ...draft, '2020-01-01T00:00Z']);
    expect([passed.code, passed.err]).toEqual([
      expect.any(Number),
      expect.stringContaining('wanted_by: must be in the future'),
    ]);
    expect(passed.code).not.toBe(0);
    await atelier(['cancel', made.out.trim(), '--yes']);
  }, 60_000);

  test('comments are sent with a revision, and come back done, as text only', async () => {
    const delivery = await newDelivery(studio);
    await comment(studio, delivery, 'Written in the dashboard.', 'xywh=percent:1,2,3,4', studio.ada.token);
    const before = (await atelier(['job', delivery.id])).out;
    expect(before).toContain(
      'comment 0.1  not sent  Ada Lovelace  brand guide.png#xywh=percent:1,2,3,4\n  Written in the',
    );
    const lost = await atelier(['revise', delivery.id, '--comment', 'other.png: Rounder', '--yes']);
    expect([lost.code, lost.err]).toEqual([2, expect.stringContaining('No delivered file is named')]);
    const second = 'brand guide.png#xywh=percent:50,50,0,0: Bigger \u001b[31mred\u202e';
    const revised = await atelier(['revise', delivery.id, '--comment', second, '--yes']);
    expect([revised.code, revised.out]).toEqual([0, 'accepted\n']);
    const { body } = await deskCommentsOf(studio, delivery.id);
    expect(body.comments).toMatchObject([{ number: 1 }, { number: 2, at: 'xywh=percent:50,50,0,0' }]);
    await check(studio, delivery.id, body.comments[1].id, 'done', { note: 'Twice as large.' });
    await makeMoves(studio, delivery.id, 'start', 'submit', 'pass');
    const after = (await atelier(['job', delivery.id])).out;
    expect(after).toContain('comment 0.2  done');
    expect(after).toContain('  > Twice as large.');
    for (const sign of ['\u001b', '\u202e']) expect(after).not.toContain(sign);
    expect((await atelier(['approve', delivery.id, '--yes'])).out).toBe('completed\n');
  }, 60_000);

  test('from a draft in a file, with an attachment, to an approved job', async () => {
    writeFileSync(join(folder, 'draft.md'), front);
    writeFileSync(join(folder, 'notes.txt'), 'Warm colours.');
    expect((await atelier(['catalog', 'design'])).out).toContain('logo');
    const check = await atelier(['check', '--file', 'draft.md']);
    expect([check.code, check.out]).toEqual([1, expect.stringContaining('Target audience')]);
    expect((await atelier(['preflight', '--file', 'draft.md', '--json'])).code).toBe(1);
    const key = ['--idempotency-key', 'one'];
    const made = await atelier(['create', '--file', 'draft.md', ...key]);
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^job_\w{26}\n$/) });
    expect((await atelier(['create', '--file', 'draft.md', ...key])).out).toBe(made.out);
    const id = made.out.trim();
    const watching = atelier(['watch', id, '--all', '--json']);
    await makeMoves(studio, id, 'accept', 'start', 'submit', 'pass');
    const watched = await watching;
    const events = watched.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([watched.code, events[0].type, events.at(-1).job.status]).toEqual([
      0,
      'job.created',
      'ready_for_customer_review',
    ]);
    expect(events.map(({ job }) => job.seq)).toEqual(events.map((_, at) => at + 1));
    expect((await atelier(['revise', id, '--yes'])).code).toBe(2);
    const revised = await atelier(['revise', id, 'Rounder, please', '--yes']);
    expect(revised.out).toBe('accepted\n');
    for (const { err } of [made, revised]) expect(err).toContain(`Follow it with "atelier watch ${id}"`);
    await makeMoves(studio, id, 'start', 'submit', 'pass');
    expect((await atelier(['approve', id, '--yes'])).out).toBe('completed\n');
    expect((await atelier(['approve', id, '--yes'])).code).toBe(5);
    expect((await atelier(['jobs', '--status', 'completed'])).out).toContain(id);
  }, 60_000);

  test('brand sets, shows and unsets a fact', async () => {
    expect((await atelier(['brand', 'set', 'Colours', 'Dark green'])).code).toBe(0);
    await atelier(['brand', 'set', 'colours', 'Cream']);
    expect((await atelier(['brand'])).out).toContain('Cream');
    expect((await atelier(['brand', 'unset', 'Tone'])).code).toBe(2);
    expect((await atelier(['brand', 'unset', 'Colours', '--json'])).out).toContain('"facts":[]');
    expect((await atelier(['brand', 'lose'])).code).toBe(2);
  });

  test('a link for a guest is made, listed and revoked', async () => {
    const id = await newJobIn(studio, 'ready_for_customer_review');
    const made = await atelier(['review-link', 'create', id, 'The board', '--comments', '--days', '3']);
    expect(made).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/review#atr_\w+_\w+\n$/),
    });
    expect(made.err).toContain('not shown again');
    const listed = await atelier(['review-link', 'list', id]);
    expect(listed.out).toMatch(/^rvl_\w{26} +active +until \d{4}-\d\d-\d\d +not opened +The board\n$/);
    const revoke = ['review-link', 'revoke', id, listed.out.split(' ')[0] ?? ''];
    expect((await atelier(revoke)).code).toBe(2);
    expect(await atelier([...revoke, '--yes'])).toMatchObject({ code: 0, out: 'revoked\n' });
    expect((await atelier(['review-link', 'list', id, '--json'])).out).toContain('"status":"revoked"');
    const { id: reviewed, file } = await newDelivery(studio);
    const link = await newReviewLink(studio, reviewed, { can_comment: true });
    await sayAsGuest(studio.service, link.guest, file, 'Buy now!');
    await atelier(['review-link', 'revoke', reviewed, link.review_link_id, '--delete-comments', '--yes']);
    expect(await commentsOf(studio, reviewed)).toEqual([]);
    expect((await atelier(['review-link', 'revoke', id, 'rvl_x', '--yes'])).code).toBe(4);
    expect((await atelier(['review-link', 'create', id, 'The board', '--days', 'x'])).code).toBe(2);
    expect((await atelier(['review-link'])).code).toBe(2);
  }, 60_000);

  test('each refusal has its exit code, words on standard error, and JSON where it is asked for', async () => {
    const { key: poor } = await newCustomer(studio.service);
    const reader = await makeKey(studio.service, studio.ada, ['api:read']);
    const create = ['create', ...flags, '--instructions', 'x'];
    const codes = [
      await atelier(['nonsense']),
      await atelier(['create', '--family', 'design']),
      await atelier(create, { env: { ATELIER_KEY: reader } }),
      await atelier(['job', 'job_01jd3vsh8xe7rtx1zqbdnzc4v0']),
      await atelier(['cancel', await newJobIn(studio, 'canceled'), '--yes']),
      await atelier(create, { env: { ATELIER_KEY: poor } }),
      await atelier(['jobs'], { env: { ATELIER_URL: 'http://127.0.0.1:9' } }),
      await atelier(['watch'], { env: { ATELIER_URL: 'http://127.0.0.1:9' } }),
      await atelier(['usage', '--from', 'yesterday']),
      await atelier(['approve', await newJobIn(studio, 'queued'), '--yes']),
    ];
    expect(codes.map(({ code }) => code)).toEqual([2, 2, 3, 4, 5, 6, 7, 7, 2, 5]);
    for (const { out, err } of codes) expect([out, err]).toEqual(['', expect.stringMatching(/\S/)]);
    const asJson = await atelier(['job', 'job_01jd3vsh8xe7rtx1zqbdnzc4v0', '--json']);
    expect(JSON.parse(asJson.err).error.code).toBe('job_not_found');
  }, 60_000);

  test('--wait prints the id first and follows the job: 0 when it is ready for review, 1 when it is rejected', async () => {
    for (const [moves, code, last] of [
      [['accept', 'start', 'submit', 'pass'], 0, 'job.ready_for_customer_review'],
      [['reject'], 1, 'job.rejected'],
    ] as const) {
      const waiting = follow(['create', ...flags, '--instructions', 'x', '--wait']);
      await expect.poll(() => waiting.lines().length).toBeGreaterThan(0);
      const [id = ''] = waiting.lines();
      await makeMoves(studio, id, ...moves);
      expect(await waiting.ended).toBe(code);
      expect(waiting.lines().at(-1)).toContain(last);
    }
  }, 60_000);

  test('a watch whose connection breaks goes on where it was: no event is lost, none comes twice', async () => {
    const line = await breakableLine(studio.service.url);
    const id = await newJobIn(studio, 'queued');
    const watching = follow(['watch', id, '--json'], { ATELIER_URL: line.url });
    const events = () => watching.lines().map((text) => JSON.parse(text));
    await expect.poll(() => events().length).toBe(1);
    line.break();
    await makeMoves(studio, id, 'accept', 'start');
    await wait(1_000);
    expect(events()).toHaveLength(1);
    line.mend();
    await expect.poll(() => events().length).toBe(3);
    line.break();
    line.mend();
    await makeMoves(studio, id, 'submit', 'pass');
    expect(await watching.ended).toBe(0);
    expect(events().map(({ job }) => job.seq)).toEqual([1, 2, 3, 4, 5]);
    line.close();
  }, 60_000);

  test('usage shows what the plan allows, what is used and what is left, by plan, family and key', async () => {
    await newJobIn(studio, 'queued');
    const { out } = await atelier(['usage']);
    const { body } = await studio.service.call('GET', '/api/v1/usage', { as: studio.key });
    const { quantity, quota, remaining } = body.usage.totals;
    expect(out).toMatch(new RegExp(`^all +${quantity} +of ${quota} +${remaining} left$`, 'm'));
    expect(out).toMatch(/^plan +studio +\d+ +of \d+ .*^family +design +\d+$.*^key +\S.*\d+$/ms);
    expect(JSON.parse((await atelier(['usage', '--json'])).out).totals).toEqual(body.usage.totals);
  });

  test('usage shows what the studio adjusted, each with its reason on one line', async () => {
    const { person, key } = await newCustomer(studio.service, 'agent');
    const sent = { ...(await adjustmentFor(studio, person, 2)), reason: 'As agreed\non the phone.' };
    await sendAdjustment(studio, studio.service, person, sent);
    const { out } = await atelier(['usage'], { env: { ATELIER_KEY: key } });
    expect(out).toMatch(/^all +2 +of 100 +98 left$/m);
    expect(out).toMatch(/^Adjusted by the studio\n[-\d]+ +agent +2 charged +As agreed on the phone\.$/m);
  });

  test('usage names the two keys of a rotation by their prefixes', async () => {
    const { person, key } = await newCustomer(studio.service, 'agent');
    await newJob(studio.service, key);
    const me = await studio.service.call('GET', '/api/v1/me', { as: key });
    const path = `/api/v1/api-keys/${me.body.auth.api_key.id}/rotate`;
    const { body } = await studio.service.call('POST', path, { as: person.token, body: { overlap_hours: 0 } });
    await newJob(studio.service, body.plaintext_key);
    const { out } = await atelier(['usage'], { env: { ATELIER_KEY: body.plaintext_key } });
    const { name, prefix } = body.api_key;
    expect(out).toContain(`${name} (${prefix})`);
    expect(out).toContain(`${name} (${body.replaced.prefix}, expired)`);
  });

  test('usage and whoami say what becomes of each plan, and who can change it', async () => {
    const { person, key } = await newCustomer(studio.service, 'solo', 'agent');
    const env = { ATELIER_KEY: key };
    expect((await atelier(['usage'], { env })).err).toBe('');
    await setPlan(studio.service, person, 'solo', { status: 'paused' });
    await setPlan(studio.service, person, 'agent', { ends_at: new Date('2998-05-06T12:30Z') });
    for (const command of ['usage', 'whoami']) {
      const { err } = await atelier([command], { env });
      expect(err).toContain(
        'Agent ends on 2998-05-06; nothing is charged after it. An owner or admin can take the end',
      );
      expect(err).toMatch(
        /Solo is paused: nothing can be ordered .* An owner or admin can resume it on the Plans page\./,
      );
    }
    await setPlan(studio.service, person, 'solo', { status: 'stopped' });
    await setPlan(studio.service, person, 'agent', { status: 'past_due', ends_at: null, endsIn: 24 });
    const { err } = await atelier(['usage'], { env });
    expect(err).toMatch(/The payment for Agent is overdue; you can order with it until \d{4}-\d\d-\d\d\. An owner or/);
    expect(err).toMatch(
      /Solo has stopped, because it is not paid: .* An owner or admin can pay it on the Plans page\./,
    );
    const { entitlement_summary: summary } = JSON.parse((await atelier(['whoami', '--json'], { env })).out);
    expect(summary.plans).toMatchObject([{ status: 'past_due' }, { status: 'stopped' }]);
  });

  test('what ends a job asks on a terminal, and wants --yes elsewhere', async () => {
    const id = await newJobIn(studio, 'queued');
    const unasked = await atelier(['cancel', id]);
    expect([unasked.code, unasked.err]).toEqual([2, expect.stringContaining('--yes')]);
    expect((await onTerminal(`atelier cancel ${id}`, 'n\n')).out).toContain('Nothing was done.');
    expect((await atelier(['job', id])).out).toContain('queued');
    const done = await onTerminal(`atelier cancel ${id}`, 'y\n');
    expect([done.code, done.out]).toEqual([0, expect.stringMatching(/Cancel the job\? \[y\/N\].*canceled/s)]);
  }, 60_000);

  test('logins are kept by profile, and the environment wins over them', async () => {
    const { key: other, person } = await newCustomer(studio.service);
    const env = { ATELIER_URL: undefined, ATELIER_KEY: undefined };
    const login = ['login', '--url', studio.service.url, '--profile', 'second'];
    expect((await atelier(login, { input: other, env })).code).toBe(0);
    const accountOf = async (args: string[], more: object) =>
      JSON.parse((await atelier(['whoami', '--json', ...args], { env: { ...env, ...more } })).out).account.id;
    const { body } = await studio.service.call('GET', '/api/v1/me', { as: person.token });
    expect(await accountOf(['--profile', 'second'], {})).toBe(body.account.id);
    expect(await accountOf([], { ATELIER_PROFILE: 'second' })).toBe(body.account.id);
    expect(await accountOf(['--profile', 'second'], { ATELIER_KEY: studio.key })).not.toBe(body.account.id);
    expect((await atelier(['logout', '--profile', 'second'])).code).toBe(0);
  }, 60_000);

  test('a canceled job ends a watch with 1', async () => {
    expect((await atelier(['watch', await newJobIn(studio, 'canceled')])).code).toBe(1);
  });

  test('a file goes up and comes back, and nothing is written over', async () => {
    writeFileSync(join(folder, 'brief.txt'), 'hello');
    const up = await atelier(['upload', 'brief.txt']);
    expect(up).toMatchObject({ code: 0, out: expect.stringMatching(/^file_\w{26}\n$/) });
    const id = up.out.trim();
    expect((await atelier(['download', id])).code).toBe(2);
    const down = await atelier(['download', id, '--output', 'copy.txt']);
    expect(down).toEqual({ code: 0, out: 'copy.txt\n', err: 'Saved copy.txt.\n' });
    expect((await onTerminal(`atelier download ${id} --output seen.txt`, '')).out).toContain('brief.txt  100 %');
    expect(readFileSync(join(folder, 'copy.txt'), 'utf8')).toBe('hello');
    const made = await atelier(['create', ...flags, '--instructions', 'x', '--attach', 'brief.txt', '--json']);
    const { body } = await studio.service.call('GET', `/api/v1/jobs/${JSON.parse(made.out).job.id}`, {
      as: studio.key,
    });
    expect(body.job.files).toMatchObject([{ file_name: 'brief.txt', status: 'uploaded' }]);
    expect((await atelier(['upload', 'missing.txt'])).code).toBe(2);
  }, 60_000);

  test('a create with attachments, again with its key, is the same job; with a changed file it is refused', async () => {
    writeFileSync(join(folder, 'one.txt'), 'hello');
    const files = ['--attach', 'one.txt', '--attach', 'one.txt'];
    const create = ['create', ...flags, '--instructions', 'x', ...files, '--idempotency-key', 'with-files'];
    const made = await atelier(create);
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^job_\w{26}\n$/) });
    expect(await atelier(create)).toMatchObject({ code: 0, out: made.out });
    const { body } = await studio.service.call('GET', `/api/v1/jobs/${made.out.trim()}`, { as: studio.key });
    expect(body.job.files).toHaveLength(2);
    writeFileSync(join(folder, 'one.txt'), 'other');
    const changed = await atelier(create);
    expect([changed.code, changed.err]).toEqual([2, expect.stringContaining('idempotency_key_conflict')]);
  }, 60_000);

  test('a conversation leads to a brief, and /confirm to a job', async () => {
    const input = ['1', 'Rise Bakery', 'families', 'warm', 'signs', 'none', '/brief', '/confirm'].join('\n');
    const { out, err, code } = await atelier(['chat', 'design'], { input });
    expect([code, out]).toEqual([0, expect.stringMatching(/^job_\w{26}\n$/)]);
    expect(err).toMatch(/What is the brand name\?.*Logo: Rise Bakery/s);
  });

  test('a conversation says what is open before /confirm orders it', async () => {
    const input = ['1', 'Rise Bakery', 'families', 'warm', 'signs', '/open existing brand assets', '/quit'].join('\n');
    const { err } = await atelier(['chat', 'design'], { input });
    expect(err).toContain('/confirm orders the job with 1 open: Existing brand assets.');
  });

  test('a refused message does not end a conversation; /quit does, and says how to go on', async () => {
    const { code, err } = await atelier(['chat', 'design'], {
      input: '1\n4242 4242 4242 4242\n/confirm\n/quit\nnever said\n',
    });
    expect(code).toBe(1);
    expect(err).toMatch(/Conversation ise_\w+.*unsafe_request.*intake_session_conflict.*atelier chat --session ise_/s);
    expect((await atelier(['chat'])).code).toBe(2);
  });

  test('mcp answers what is piped in, and ends with its input', async () => {
    const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })}\n`;
    const { out, code } = await atelier(['mcp'], { input });
    expect([code, JSON.parse(out).result.tools.length]).toEqual([0, 25]);
  });

  test('any operation by its id, and completion for three shells', async () => {
    const { out } = await atelier(['api', 'listPlans']);
    expect(JSON.parse(out).plans.length).toBeGreaterThan(0);
    const id = await newJobIn(studio, 'queued');
    expect(JSON.parse((await atelier(['api', 'readJob', '--id', id])).out).job.id).toBe(id);
    expect((await atelier(['api', 'noSuch'])).code).toBe(2);
    await makeMoves(studio, await newJobIn(studio, 'queued'), 'reject');
    const listed = await atelier(['api', 'listJobs', '--status', 'queued', '--status', 'rejected']);
    const statuses = JSON.parse(listed.out).jobs.map(({ status }: { status: string }) => status);
    expect(new Set(statuses)).toEqual(new Set(['queued', 'rejected']));
    for (const shell of ['bash', 'zsh', 'fish'])
      expect((await atelier(['completion', shell])).out).toContain('preflight');
    expect((await atelier(['completion', 'tcsh'])).code).toBe(2);
    writeFileSync(join(folder, 'completion.bash'), (await atelier(['completion', 'bash'])).out);
    const complete = async (...words: string[]) => {
      const asked = `COMP_WORDS=(atelier ${words.join(' ')}) COMP_CWORD=${words.length}; _atelier; echo "\${COMPREPLY[@]}"`;
      const script = `source completion.bash; ${asked}`;
      return (await run('bash', ['--norc', '-c', script], { cwd: folder })).stdout.trim();
    };
    expect(await complete('pre')).toBe('preflight');
    expect(await complete('create', '--ide')).toBe('--idempotency-key');
    expect(await complete('api', 'createJobA')).toBe('createJobArchive');
    expect(await complete('completion', 'f')).toBe('fish');
    expect(await complete('brand', 's')).toBe('set');
    expect(await complete('jobs', '--status', 'ready')).toBe('ready_for_customer_review');
    const script =
      'source completion.bash; COMP_WORDS=(atelier create --family des) COMP_CWORD=3; _atelier; echo "${COMPREPLY[@]}"';
    expect((await run('bash', ['--norc', '-c', script], installed())).stdout.trim()).toBe('design');
    expect(await complete('revise', 'job_1', 'createJ')).toBe('');
    expect((await atelier(['completion', 'fish'])).out).toMatch(/from api;.*-a '.*createJob/);
  }, 60_000);
});

test('api streamEvents writes the stream as it comes', async () => {
  const following = follow(['api', 'streamEvents']);
  await expect.poll(() => following.lines()).toContain('event: open');
  const id = await newJobIn(studio, 'queued');
  await expect.poll(() => following.lines().join()).toContain(id);
  studio.service.context.streams.end(() => true);
  expect([await following.ended, following.lines().includes('event: bye')]).toEqual([0, true]);
}, 60_000);

describe('as a process of its own', () => {
  const program = () => join(folder, 'node_modules/.bin/atelier');

  test('it ends with the exit code of its command, whose messages are on standard error', async () => {
    expect(await run(program(), ['whoami', '--json'], installed())).toMatchObject({ stderr: '' });
    const refused = run(program(), ['job', 'job_01jd3vsh8xe7rtx1zqbdnzc4v0'], installed());
    await expect(refused).rejects.toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('job_not_found'),
    });
  });

  test('it reads a pipe, and ends quietly where nobody reads its own', async () => {
    const draft = '{"family":"design","type":"logo","title":"A","instructions":"Brand name: Rise."}';
    const script = `set -o pipefail; echo '${draft}' | atelier create --file -; atelier api | true`;
    const { stdout, stderr } = await run('bash', ['--norc', '-c', script], installed());
    expect([stdout, stderr]).toEqual([
      expect.stringMatching(/^job_\w{26}\n$/),
      expect.stringMatching(/^Follow it .*\n$/),
    ]);
  });

  test('Ctrl-C ends a watch', async () => {
    const id = await newJobIn(studio, 'queued');
    const watching = spawn(program(), ['watch', id], installed());
    await once(watching.stdout, 'data');
    watching.kill('SIGINT');
    expect(await once(watching, 'close')).toEqual([null, 'SIGINT']);
  });
});

describe('the words for machines', () => {
  const codeOf = (text: string, language: string): string[] =>
    [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, of, code = '']) => (of === language ? [code] : []));
  const read = async (path: string) => (await fetch(studio.service.url + path)).text();

  /** Runs commands as they stand, but for the key, where `atelier` is installed; what they wrote. */
  async function runAll(commands: string[]): Promise<string> {
    const script = commands.join('\n').replaceAll('YOUR_KEY', studio.key);
    const { stdout } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], installed());
    return stdout;
  }

  test('the commands of the chapter Agents run as they stand', async () => {
    const commands = codeOf(await read('/docs/agents.md'), 'sh');
    expect(commands).toHaveLength(1);
    expect(await runAll(commands)).toMatch(/canceled\n$/);
  }, 60_000);

  test('each configuration of the chapter Connect with a key connects a client', async () => {
    const configurations = codeOf(await read('/docs/connect.md'), 'json').map((code) => JSON.parse(code));
    const servers = configurations
      .map(({ mcpServers, servers }) => (mcpServers ?? servers).atelier)
      // `npm run test:hosts` tries OAuth, and what npx starts.
      .filter(({ headers, command }) => headers || command === 'atelier');
    expect(servers).toHaveLength(5);
    for (const { url, httpUrl, headers, command, args, env } of servers) {
      const withKey = (text: string) => text.replace(/YOUR_KEY|\$\{input:atelier-key\}/, studio.key);
      const transport = command
        ? new StdioClientTransport({
            command: join(folder, 'node_modules/.bin', command),
            args,
            env: { PATH: process.env['PATH'] ?? '', ...env, ATELIER_KEY: withKey(env.ATELIER_KEY) },
          })
        : new StreamableHTTPClientTransport(new URL(url ?? httpUrl), {
            requestInit: { headers: { authorization: withKey(headers.Authorization) } },
          });
      const client = new Client({ name: 'test', version: '1.0.0' });
      await client.connect(transport);
      expect((await client.listTools()).tools.length).toBe(25);
      await client.close();
    }
    const [toml = ''] = codeOf(await read('/docs/connect.md'), 'toml');
    expect(toml).toContain(`url = "${studio.service.url}/mcp"`);
  }, 60_000);

  test('the commands of the skill lead from the catalog to an approved job while the studio works', async () => {
    const skill = await read('/skills/atelier/SKILL.md');
    expect(skill).toMatch(/^---\nname: atelier\ndescription: .{80,1024}\n---\n/);
    expect([...skill.matchAll(/^## \d\. /gm)]).toHaveLength(7);
    const done = new AbortController();
    const working = workOnEveryJob(done.signal);
    const out = await runAll(codeOf(skill, 'sh'));
    done.abort();
    await working;
    expect(out).toMatch(/ready\nready\n.*^delivery\/[^\n]+\naccepted\n.*completed\n$/ms);
    const [saved = ''] = readdirSync(join(folder, 'delivery'));
    expect(readFileSync(join(folder, 'delivery', saved)).length).toBe(2_000);
  }, 60_000);

  test('of files of both sides the skill downloads what the studio delivered', async () => {
    writeFileSync(join(folder, 'own.txt'), 'mine');
    const own = (await atelier(['upload', 'own.txt'])).out.trim();
    const id = await newJobIn(studio, 'running', { file_ids: [own] });
    const { service, operator } = studio;
    const file = await newDeliverable(service, operator.token, id, someBytes(), { file_name: 'result.txt' });
    const handedIn = { message: 'Done.', file_ids: [file.id] };
    expect((await post(service, operator.token, pathOf('submit', id), handedIn)).status).toBe(200);
    await makeMoves(studio, id, 'pass');
    const { out } = await atelier(['job', id]);
    expect(out).toContain(`file ${own}  customer  job_source  uploaded  own.txt\n`);
    expect(out).toContain(`file ${file.id}  studio  job_deliverable  uploaded  `);
    const [choice = ''] = /^atelier download .*$/m.exec(await read('/skills/atelier/SKILL.md')) ?? [];
    expect(await runAll([`JOB=${id}`, choice])).toBe('delivery/result.txt\n');
  }, 60_000);

  test('the commands and the program of AGENTS.md run as they are packed', async () => {
    const agents = readFileSync(join(folder, 'node_modules/atelier-client/AGENTS.md'), 'utf8');
    expect(await runAll(codeOf(agents, 'sh'))).toMatch(/Rise|remaining|job_/);
    const [program = ''] = codeOf(agents, 'ts');
    writeFileSync(join(folder, 'program.mts'), program);
    const { stdout } = await run(process.execPath, ['program.mts'], installed());
    expect(stdout).toMatch(/missing: .+\ncreated: job_/);
    const packed = readFileSync(join(folder, 'node_modules/atelier-client/skills/atelier/SKILL.md'), 'utf8');
    expect(await read('/skills/atelier/SKILL.md')).toBe(
      packed.replaceAll('https://atelier.example.com', studio.service.url),
    );
  }, 60_000);

  test('where they speak of `atelier`, they tell how to get it as it was got here', async () => {
    for (const path of ['/docs/agents.md', '/skills/atelier/SKILL.md'])
      for (const command of ['npm pack ./client', `npm install -g ${file}`])
        expect((await read(path)).replaceAll('\n', ' ')).toContain(`\`${command}\``);
  });

  test('each path that /llms.txt leads to is there', async () => {
    const links = [...(await read('/llms.txt')).matchAll(/\]\((\S+)\)/g)].map(([, link = '']) => link);
    expect(links).toContain(`${studio.service.url}/skills/atelier/SKILL.md`);
    for (const link of links) expect((await fetch(link)).status, link).toBe(200);
    expect(await read('/llms-full.txt')).toBe(await read('/docs.md'));
  });

  test('/llms.txt names tools that there are, from the catalog to approve', async () => {
    const tools = [...(await read('/llms.txt')).matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name = '']) => name);
    const other = ['intake_requirements', 'ready_for_customer_review', 'job_id', 'next_action', 'next_after'];
    expect(tools.filter((name) => !toolEndpoints.has(name) && !other.includes(name))).toEqual([]);
    expect(tools).toEqual(expect.arrayContaining(['get_catalog', 'create_job', 'wait_for_events', 'approve_job']));
  });
});

/** The studio: whatever is ordered is made, delivered and passed on. */
async function workOnEveryJob(ended: AbortSignal): Promise<void> {
  const { service, key, operator } = studio;
  while (!ended.aborted) {
    await wait(100);
    const { body } = await service.call('GET', '/api/v1/jobs?status=queued,accepted', { as: key });
    for (const { id, status } of body.jobs) {
      if (status === 'queued') await makeMoves(studio, id, 'accept');
      await makeMoves(studio, id, 'start');
      const file = await newDeliverable(service, operator.token, id, someBytes());
      const handedIn = { message: 'Done.', file_ids: [file.id] };
      expect((await post(service, operator.token, pathOf('submit', id), handedIn)).status).toBe(200);
      await makeMoves(studio, id, 'pass');
    }
  }
}
