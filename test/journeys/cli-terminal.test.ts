import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { run } from '../../client/cli/run.ts';

/** What a terminal with so many columns shows; undefined for a pipe. */
async function shown(columns: number | undefined, ...words: string[]) {
  const [stdin, stdout, stderr] = [new PassThrough(), ...[1, 2].map(() => new PassThrough())] as PassThrough[];
  const terminal = columns === undefined ? {} : { isTTY: true, columns };
  const io = { stdin: stdin!, stdout: Object.assign(stdout!, terminal), stderr: Object.assign(stderr!, terminal) };
  const code = await run(words, { ...io, env: { NO_COLOR: '1' }, cwd: () => '/nonexistent' });
  io.stdout.end();
  io.stderr.end();
  return { code, out: (await text(io.stdout)) + (await text(io.stderr)) };
}

const commands = [['--help'], ['create', '--help'], ['watch', '--help'], ['api'], ['jobs'], ['nonsense'], ['chat']];

test.each(commands)('%s: breaks at words in 60 columns, and not at all in a pipe', async (...words) => {
  const { out } = await shown(60, ...words);
  for (const line of out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(60);
  const piped = (await shown(undefined, ...words)).out;
  const wordsOf = (shownText: string) => shownText.split(/\s+/).filter(Boolean);
  expect(wordsOf(out)).toEqual(wordsOf(piped));
});

test('what goes on stands below the description', async () => {
  const { out } = await shown(60, 'watch', '--help');
  expect(out).toMatch(/^ {2}--forward-to URL {2}post each event to this address, signed\n {20}as a webhook/m);
});

test('api lists by tag, and by a word only what has it', async () => {
  const { out } = await shown(undefined, 'api');
  expect(out).toMatch(/^Catalog\n(?: {2}\w+ +\S.*\n)+Plans\n/m);
  const { out: some } = await shown(undefined, 'api', 'WEBHOOK');
  expect(some).toMatch(/^Webhooks\n {2}createWebhookEndpoint +Create/m);
  expect(some).not.toContain('createJob');
});

test('login without a terminal and without a key names the browser', async () => {
  const stdin = new PassThrough();
  stdin.end();
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const env = { XDG_CONFIG_HOME: '/nonexistent' };
  const words = ['login', '--url', 'https://atelier.example.com'];
  expect(await run(words, { stdin, stdout, stderr, env, cwd: () => '/' })).toBe(2);
  stderr.end();
  expect(await text(stderr)).toContain('atelier login --browser');
});
