import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { check } from 'recheck';
import { Compile } from 'typebox/compile';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Atelier } from '../client/atelier.ts';
import { endpoints } from '../contract/openapi.ts';
import { createService, type Service } from '../test/support/harness.ts';
import { valuesFor } from '../server/requirements/find-suggestions.ts';
import { policy } from '../server/safety/policy.ts';
import { openSession, say } from '../test/support/intake.ts';
import { draft } from '../test/support/jobs.ts';
import { signUp } from '../test/support/people.ts';

/**
 * No text that somebody sends may keep an expression busy: recheck (https://makenowjust-labs.github.io/recheck) proves each
 * one linear or finds the text that it is not linear for. Judged are the literals of the source, and what `new RegExp` and
 * the schemas make while the service starts and works, those of the YAML files among it.
 */

type Pattern = { source: string; flags: string };

// Set before anything of ours is imported: many expressions are made then.
const made = vi.hoisted(() => {
  const made = new Map<string, { source: string; flags: string; file: string }>();
  globalThis.RegExp = new Proxy(RegExp, {
    construct(target, given, newTarget) {
      const pattern: RegExp = Reflect.construct(target, given, newTarget);
      const { stackTraceLimit } = Error;
      Error.stackTraceLimit = 30;
      const stack = new Error().stack?.replaceAll(import.meta.dirname.replace(/proof$/, ''), 'ours/') ?? '';
      Error.stackTraceLimit = stackTraceLimit;
      const by = /node_modules\/(.+?\.m?js)|ours\/((?:contract|server|cli|client)\/.+?\.ts)/.exec(stack);
      const file = by?.[2] ?? (by?.[1]?.startsWith('typebox/build/schema/') ? 'schema' : null);
      const { source, flags } = pattern;
      if (file) made.set(`${file} /${source}/${flags}`, { source, flags, file });
      return pattern;
    },
  });
  return made;
});

const root = resolve(import.meta.dirname, '..');
const files = ['contract', 'server', 'cli', 'client']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((file) => file.endsWith('.ts') && !/\.(test|d)\.ts$|^client\/(generated|dist)\//.test(file));

/** The nodes of a source of which `pick` makes something. */
function* pickedFrom<T>(text: string, pick: (node: ts.Node) => T | undefined): Generator<T> {
  const open: ts.Node[] = [ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest)];
  for (let node = open.pop(); node; node = open.pop()) {
    const picked = pick(node);
    if (picked !== undefined) yield picked;
    ts.forEachChild(node, (child) => void open.push(child));
  }
}
const literal = (node: ts.Node): Pattern | undefined => {
  if (!ts.isRegularExpressionLiteral(node)) return undefined;
  const end = node.text.lastIndexOf('/');
  return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
};
const making = (node: ts.Node): true | undefined =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'RegExp'
    ? true
    : undefined;
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** What is wrong with a pattern; null for one that every text is searched for in linear time. */
async function fault({ source, flags: given }: Pattern): Promise<string | null> {
  // Letter case, which recheck cannot switch within a pattern, changes what is found and not how long it takes.
  const asked = source.replaceAll('(?-i:', '(?:');
  // Unknown to recheck, and only about what is reported.
  const flags = given.replace('d', '');
  const exact = await check(asked, flags, { checker: 'automaton', timeout: 1_000 });
  // Automata cannot look around, and large ones take long. Attacks are counted in steps, whatever else the machine does.
  const open = exact.status === 'unknown' && ['unsupported', 'timeout'].includes(exact.error.kind);
  const found = open ? await check(asked, flags, { ...byAttacks, checker: 'fuzz' }) : exact;
  if (found.status === 'safe') return null;
  if (found.status === 'unknown') return `is not judged: ${found.error.kind}`;
  return `is ${found.complexity.summary}: ${found.attack.pattern}`;
}
const byAttacks = { timeout: 30_000, attackTimeout: null, incubationTimeout: null };

async function faults(patterns: (Pattern & { file: string })[]): Promise<string[]> {
  const distinct = new Map(patterns.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]));
  const found = [];
  for (const [text, pattern] of distinct) {
    const wrong = await fault(pattern);
    if (wrong) found.push(`${pattern.file} ${text.slice(0, 200)} ${wrong}`);
  }
  return found;
}

vi.setConfig({ testTimeout: 600_000 });

describe('what is not linear is found', () => {
  test.each([
    ['one repetition in another', /^(a+)+$/, 'exponential'],
    ['white space before the end', /\s+$/u, '2nd degree polynomial'],
    ['one class twice', /^[.\d]*x?[.\d]*y/, '2nd degree polynomial'],
    ['with looking around', /^(?=a)(a|a)*$/, 'exponential'],
  ])('%s', async (_, { source, flags }, kind) => {
    expect(await fault({ source, flags })).toContain(kind);
  });

  test('what cannot be judged is a fault too', async () => {
    expect(await fault({ source: '[a--b]', flags: 'v' })).toContain('not judged');
  });
});

test('every literal is linear', async () => {
  expect([...pickedFrom('f((x) => x.replace(/a\\/b/gu, ""))', literal)]).toEqual([{ source: 'a\\/b', flags: 'gu' }]);
  const literals = files.flatMap((file) => [...pickedFrom(textOf(file), literal)].map((found) => ({ ...found, file })));
  expect(literals.length).toBeGreaterThan(100);
  expect(await faults(literals)).toEqual([]);
});

describe('what is made while the service works', () => {
  let service: Service;
  beforeAll(async () => {
    service = await createService();
    // The service compiles each at its first request.
    for (const { body, query } of endpoints) for (const schema of [body, query]) if (schema) Compile(schema);
    await new Atelier({ url: service.url }).readCatalog();
    const { token } = await signUp(service);
    // Those for a family are made when it is first spoken of.
    for (const service_family of service.context.catalog.families.keys()) {
      const body = { ...draft, service_family, customer_title: hostile, customer_instructions: hostile };
      await service.call('POST', '/api/v1/catalog/intent-check', { body });
      await service.call('POST', '/api/v1/jobs', { as: token, body, headers: { 'x-request-id': hostile } });
      const { id } = await openSession(service, token, { service_family, message: hostile });
      for (const words of ['the second one', `the name is ${hostile}`, `skip the ${hostile}`, hostile])
        await say(service, token, id, words);
      await service.call('GET', `/api/v1/jobs?service_family=${encodeURIComponent(hostile)}`, { as: token });
      await service.call('GET', `/api/v1/${encodeURIComponent(hostile)}`, { as: token });
    }
  });
  afterAll(() => service.close());

  test('is linear', async () => {
    expect(await faults([...made.values()])).toEqual([]);
  });

  test('is not made of what a caller wrote', () => {
    expect([...made.values()].filter(({ source }) => /zyzzyva|a\+\)\+/i.test(source))).toEqual([]);
  });

  test('is all seen here: every file that makes one, every pattern of a rule and of a request', () => {
    const makers = files.filter((file) => [...pickedFrom(textOf(file), making)].length > 0);
    expect(makers).toContain('server/lib/sentences.ts');
    const seen = [...made.values()];
    expect(makers.filter((file) => !seen.some((one) => one.file === file))).toEqual([]);

    const ofRules = [
      ...policy.flatMap(({ patterns, unless }) => [patterns, unless]),
      ...[...service.context.catalog.families.values()].flatMap((family) => [...valuesFor(family).values()].flat()),
    ].filter((pattern) => pattern !== null);
    const ofRequests = endpoints.flatMap(({ body, query }) => [...patternsIn([body, query])]);
    for (const sources of [ofRules.map(({ source }) => source), ofRequests]) {
      expect(sources.length).toBeGreaterThan(5);
      const unseen = sources.filter((source) => !seen.some((one) => one.source === RegExp(source, 'u').source));
      expect(unseen).toEqual([]);
    }
  });
});

/** What would take for ever as a pattern. */
const hostile = 'Zyzzyva(a+)+$';

/** Every `pattern` of a schema. */
function* patternsIn(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [name, value] of Object.entries(schema))
    if (name === 'pattern' && typeof value === 'string') yield value;
    else yield* patternsIn(value);
}
