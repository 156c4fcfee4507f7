import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inDoorWords, routeWords } from '../contract/door-words.ts';
import { errorsOf } from '../contract/endpoint.ts';
import { errors } from '../contract/errors.ts';
import { endpoints } from '../contract/openapi.ts';

const inTools = (text: string) => inDoorWords('tool', text, () => 'the dashboard');
const inCommands = (text: string) => inDoorWords('command', text, (_, path) => `atelier api ${path}`);

const job = `job_${'a'.repeat(26)}`;

test('a tool is called by its name, in its words of the door', () => {
  for (const { method, path, tool } of endpoints)
    if (tool) expect(routeWords[`${method} ${path}`]?.tool, tool.name).toBe(tool.name);
});

test('the words name only routes that exist', () => {
  const routes = new Set(endpoints.map(({ method, path }) => `${method} ${path}`));
  expect(Object.keys(routeWords).filter((route) => !routes.has(route))).toEqual([]);
});

/** What only HTTP gives, before a tool is called; and the PUT that sends bytes to a storage. */
const ofHttp = ['csrf_token_invalid', 'unsupported_media_type', 'body_too_large', 'upload_incomplete'];
const httpWords = /\b(?:GET|POST|PUT|PATCH|DELETE)\b|\/api\/|[Hh]eader|Authorization|Idempotency-Key|Retry-After|HTTP/;

test('no error of a tool has words of HTTP in its action', () => {
  const codes = new Set(endpoints.flatMap((line) => (line.tool ? Object.values(errorsOf(line)).flat() : [])));
  expect(codes.size).toBeGreaterThan(20);
  const actions = [...codes].filter((code) => !ofHttp.includes(code)).map((code) => inTools(errors[code].action));
  expect(actions.filter((action) => httpWords.test(action))).toEqual([]);
});

test('no action that a room of the tools writes has words of HTTP', () => {
  const rooms = [
    'catalog',
    'entitlements',
    'files',
    'intake',
    'jobs',
    'requirements',
    'review',
    'safety',
    'talk',
    'usage',
  ];
  const files = rooms.flatMap((room) => readdirSync(`server/${room}`).map((name) => `server/${room}/${name}`));
  const lines = files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  const actions = lines.flatMap(
    (line) => /\baction:\s*(['`].+)/.exec(line)?.[1]?.replaceAll(/\$\{[^}]*\}/g, '…') ?? [],
  );
  expect(actions.length).toBeGreaterThan(30);
  expect(actions.map(inTools).filter((action) => httpWords.test(action))).toEqual([]);
});

test('ids and parameters become arguments', () => {
  const wait = `Wait with GET /api/v1/events?job_id=${job}&types=job.canceled,job.rejected&after=7&wait=25. Then go on.`;
  expect(inTools(wait)).toBe(
    `Wait with wait_for_events (job_id=${job}, types=job.canceled,job.rejected, after=7, wait=25). Then go on.`,
  );
  expect(inCommands(wait)).toBe(`Wait with \`atelier watch ${job}\`. Then go on.`);
  expect(inTools(`Approve it with POST /api/v1/jobs/${job}/approve?round=1, or wait.`)).toBe(
    `Approve it with approve_job (job_id=${job}, round=1), or wait.`,
  );
  expect(inCommands(errors.job_not_found.action)).toBe(
    'Check the job id; `atelier jobs` lists the jobs of your account.',
  );
  expect(inCommands(errors.file_not_found.action)).toBe(
    'Check the file id; `atelier job <id>` lists the files of a job.',
  );
});

test('an expired cursor leads to the jobs and to new events', () => {
  expect(inTools(errors.cursor_expired.action)).toBe(
    'List your jobs, then continue from `latest`, which wait_for_events returns without `after`.',
  );
  expect(inCommands(errors.cursor_expired.action)).toBe(
    'List your jobs with `atelier jobs`, then follow new events with `atelier watch`.',
  );
});

test('a route without words is named by the door, and other text stays', () => {
  expect(inTools('Delete others with DELETE /api/v1/files/{id}.')).toBe('Delete others in the dashboard.');
  expect(inTools('Read GET /api/v1/brand again.')).toBe('Look at the dashboard again.');
  expect(inTools('GET ready, and POST nothing.')).toBe('GET ready, and POST nothing.');
});
