import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './demo-service.ts';

/**
 * Tries both commands of the README as a newcomer types them: in a fresh clone whose path has a space, with
 * the npm that Node ships, as root and as an ordinary user. `npm run test:commands -- 20` tries one Node.
 */
const shipped = [
  { node: '20.20.2', npm: '10.8.2' },
  { node: '22.23.5', npm: '10.9.2' },
  { node: '24.22.3', npm: '11.3.0' }, // which came with 24.0
];
const tooOld = '18.20.8';
const room = 'server/billing/facts';

type User = { name: string; uid?: number; gid?: number };
const nobody: User = { name: 'nobody', uid: 65534, gid: 65534 };
const users: User[] = process.getuid?.() === 0 ? [{ name: 'root' }, nobody] : [{ name: 'an ordinary user' }];

const temporary = mkdtempSync(join(tmpdir(), 'atelier-commands-'));
chmodSync(temporary, 0o755);
/** Begins with the packages that this machine has fetched before. */
const cache = join(temporary, 'cache');
mkdirSync(cache);
const fetched = join(execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim(), '_cacache');
if (existsSync(fetched)) cpSync(fetched, join(cache, '_cacache'), { recursive: true });
const own = (folder: string, { uid, gid }: User) => {
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, folder]);
};

/** A folder with the programs of these packages, as the registry has them. */
function install(packages: readonly string[]): string {
  const folder = mkdtempSync(join(temporary, 'tools-'));
  chmodSync(folder, 0o755);
  execFileSync('npm', ['install', '--silent', '--no-save', '--prefix', folder, ...packages], { cwd: folder });
  return join(folder, 'node_modules/.bin');
}

class Newcomer {
  readonly #user: User;
  readonly #env: Record<string, string>;
  readonly #clone: string;
  readonly #seconds: string[] = [];

  constructor(user: User, programs: string) {
    const home = mkdtempSync(join(temporary, 'home-'));
    this.#user = user;
    this.#clone = join(home, 'a clone');
    // With links, the files of this repository would change their owner, too.
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', join(import.meta.dirname, '..'), this.#clone]);
    for (const folder of [home, cache]) own(folder, user);
    // The registry may be behind a certificate of the network's own.
    const { NODE_EXTRA_CA_CERTS = '' } = process.env;
    const quiet = { npm_config_update_notifier: 'false', NODE_EXTRA_CA_CERTS };
    this.#env = { PATH: `${programs}:/usr/bin:/bin`, HOME: home, npm_config_cache: cache, ...quiet };
  }

  #options(env: Record<string, string> = {}) {
    const { uid, gid } = this.#user;
    return { cwd: this.#clone, env: { ...this.#env, ...env }, ...(uid === undefined ? {} : { uid, gid }) };
  }

  /** What the command says, to either output, and its exit code. */
  try(command: string, ...words: string[]): { said: string; code: number | null } {
    const began = performance.now();
    const { stdout, stderr, status } = spawnSync(command, words, { ...this.#options(), encoding: 'utf8' });
    this.#note([command, ...words].join(' '), began);
    return { said: stdout + stderr, code: status };
  }

  /** `npm start` until it has printed its last line, then the curl command that it printed, then SIGTERM. */
  async start(): Promise<void> {
    const began = performance.now();
    const port = await freePort();
    const child = spawn('npm', ['start'], { ...this.#options({ PORT: String(port) }), detached: true });
    try {
      const said = await this.#screenOf(child);
      this.#note('npm start', began);
      must(said.includes(`listening at http://localhost:${port}\n`), 'the address of the start screen', said);
      const curl = said.slice(said.indexOf('\ncurl ') + 1);
      const job = spawnSync('sh', ['-c', curl], { ...this.#options(), encoding: 'utf8' });
      must(/^\{"job":\{"id":"job_\w+","status":"queued"/.test(job.stdout), 'the job of the curl command', job.stdout);
      process.kill(child.pid ?? 0, 'SIGTERM');
      const [code] = (await once(child, 'close', { signal: AbortSignal.timeout(30_000) })) as [number | null];
      must(code === 0, 'the exit code after SIGTERM', String(code));
    } finally {
      const isOver = child.exitCode !== null || child.signalCode !== null;
      if (!isOver && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }
  }

  async #screenOf(child: ChildProcess): Promise<string> {
    let said = '';
    for (const output of [child.stdout, child.stderr]) output?.on('data', (part: Buffer) => (said += part.toString()));
    for (const until = performance.now() + 300_000; !/\n {2}\}'\n/.test(said); await wait(100))
      must(child.exitCode === null && performance.now() < until, 'the start screen', said);
    return said;
  }

  #note(what: string, began: number): void {
    this.#seconds.push(`${what} ${((performance.now() - began) / 1000).toFixed(0)} s`);
  }

  get seconds(): string {
    return this.#seconds.join(', ');
  }
}

function must(condition: boolean, what: string, came: string): asserts condition {
  if (!condition) throw new Error(`Not as it should be: ${what}. It was:\n${came.slice(-3_000)}`);
}

/** One sentence after npm's own two lines, and no stack trace. */
const saysOnly = (said: string, sentence: string) => said.trim().split('\n').slice(2).join('\n').trim() === sentence;

async function tryBoth(user: User, programs: string): Promise<string> {
  const newcomer = new Newcomer(user, programs);
  for (const words of [['start'], ['test']]) {
    const early = newcomer.try('npm', ...words);
    must(early.code === 1 && saysOnly(early.said, 'Run `npm ci` first.'), 'the command before npm ci', early.said);
  }
  const installed = newcomer.try('npm', 'ci');
  must(installed.code === 0, 'npm ci', installed.said);
  await newcomer.start();
  const tested = newcomer.try('npm', 'test', '--', room);
  must(tested.code === 0 && /Tests .*\d+ passed/.test(tested.said), 'npm test', tested.said);
  const { said } = newcomer.try('git', 'status', '--short');
  must(said === '', 'git status', said);
  return newcomer.seconds;
}

function tryTooOld(): void {
  const [user] = users;
  const newcomer = new Newcomer(user ?? nobody, install([`node-${process.platform}-${process.arch}@${tooOld}`]));
  const { said, code } = newcomer.try('node', 'scripts/run.cjs', 'server/main.ts');
  const sentence = `This needs Node 20 or newer, and this is Node ${tooOld}.`;
  must(code === 1 && said.trim() === sentence, 'what an old Node says', said);
  process.stdout.write(`ok  Node ${tooOld} says that it is too old\n`);
}

const onlyMajor = process.argv[2];
const chosen = shipped.filter(({ node }) => !onlyMajor || node.startsWith(`${onlyMajor}.`));
try {
  must(chosen.length > 0, 'the version of Node', String(onlyMajor));
  for (const { node, npm } of chosen) {
    const programs = install([`node-${process.platform}-${process.arch}@${node}`, `npm@${npm}`]);
    for (const user of users) {
      const seconds = await tryBoth(user, programs);
      process.stdout.write(`ok  Node ${node}, npm ${npm}, ${user.name}: ${seconds}\n`);
    }
  }
  if (!onlyMajor) tryTooOld();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
