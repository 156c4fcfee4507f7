import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { environment, superuser } from '../../server/embedded-postgres/cluster.ts';
import { findHome, giveTo } from '../../server/embedded-postgres/home.ts';
import { freePort } from '../faults/process.ts';
import { runAll, secondSite } from './second-site.ts';

const program = (name: string) => `/usr/lib/postgresql/15/bin/${name}`;
const run = promisify(execFile);

type Home = { directory: string; runAs: { uid?: number; gid?: number } };
type Server = { cluster: string; port: number; ended: Promise<unknown>; signal(name: NodeJS.Signals): void };

/** A primary and its synchronous standby, of Debian's Postgres 15, on ports that stay theirs. */
export class PostgresPair {
  readonly ports: readonly [number, number];
  readonly folder: string;
  readonly #home: Home;
  #primary: Server;
  #standby: Server | null = null;

  private constructor(folder: string, home: Home, ports: [number, number], primary: Server) {
    this.folder = folder;
    this.#home = home;
    this.ports = ports;
    this.#primary = primary;
  }

  /** `alone`: without a standby. */
  static async start({ alone = false } = {}): Promise<PostgresPair> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'atelier-pair-')));
    await chmod(folder, 0o711);
    const home = findHome(folder, () => {});
    giveTo(home.runAs, home.directory);
    const ports: [number, number] = [await freePort(), await freePort()];
    const cluster = clusterOf(home, ports[0]);
    const locale = ['--encoding=UTF8', '--locale=C.UTF-8'];
    await run(program('initdb'), ['-D', cluster, '-U', superuser, '--auth=trust', ...locale], optionsOf(home));
    const pair = new PostgresPair(folder, home, ports, startServer(home, cluster, ports[0]));
    await pair.untilPrimary(ports[0]);
    for (const statement of ['create role atelier login createdb', 'create database atelier owner atelier'])
      await pair.ask(ports[0], statement);
    if (!alone) await pair.attachStandby();
    return pair;
  }

  get primaryPort(): number {
    return this.#primary.port;
  }

  url = (port = this.primaryPort, role = 'atelier', database = 'atelier') =>
    `postgres://${role}@127.0.0.1:${port}/${database}?sslmode=disable`;

  urlOfBoth = () => `postgres://atelier@127.0.0.1:${this.ports[0]},127.0.0.1:${this.ports[1]}/atelier?sslmode=disable`;

  /** The rows of one statement, as superuser. */
  // The caller knows its own statement.
  // oxlint-disable-next-line typescript/no-explicit-any
  async ask(port: number, statement: string, values: unknown[] = [], database = 'postgres'): Promise<any[]> {
    const client = new pg.Client({
      connectionString: this.url(port, superuser, database),
      connectionTimeoutMillis: 2_000,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query(statement, values)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  isPrimary = (port: number): Promise<boolean> =>
    this.ask(port, 'select pg_is_in_recovery() as standby').then(
      ([row]) => row.standby === false,
      () => false,
    );

  async untilPrimary(port: number): Promise<void> {
    for (const giveUp = performance.now() + 30_000; !(await this.isPrimary(port)); await sleep(20))
      if (performance.now() > giveUp) throw new Error(`The server at ${port} is no primary.`);
  }

  /** Copies the primary, and has it wait for the copy from then on. */
  async attachStandby(): Promise<void> {
    const port = this.ports.find((one) => one !== this.primaryPort) ?? 0;
    const cluster = clusterOf(this.#home, port);
    await rm(cluster, { recursive: true, force: true });
    const from = ['-h', '127.0.0.1', '-p', String(this.primaryPort), '-U', superuser];
    await run(program('pg_basebackup'), [...from, '-D', cluster, '-R', '-c', 'fast'], optionsOf(this.#home));
    // Else it would wait for a standby of its own once it is promoted.
    await appendFile(join(cluster, 'postgresql.auto.conf'), "synchronous_standby_names = ''\n");
    this.#standby = startServer(this.#home, cluster, port);
    await this.ask(this.primaryPort, `alter system set synchronous_standby_names = '*'`);
    await this.ask(this.primaryPort, 'select pg_reload_conf()');
    await this.#untilStandby(`sync_state = 'sync'`);
  }

  async #untilStandby(is: string): Promise<void> {
    const statement = `select from pg_stat_replication where state = 'streaming' and ${is}`;
    const ready = async () => (await this.ask(this.primaryPort, statement)).length > 0;
    for (const giveUp = performance.now() + 60_000; !(await ready()); await sleep(50))
      if (performance.now() > giveUp) throw new Error(`No standby: ${is}.`);
  }

  signalPrimary = (name: NodeJS.Signals) => this.#primary.signal(name);
  signalStandby = (name: NodeJS.Signals) => this.#standby?.signal(name);

  /** Makes the standby the primary, and answers when that was begun. The old one must not write any more. */
  async promote(): Promise<{ began: number; old: Server }> {
    const [old, standby] = [this.#primary, this.#standby];
    if (!standby) throw new Error('There is no standby.');
    const began = performance.now();
    await run(program('pg_ctl'), ['promote', '-D', standby.cluster, '-w'], optionsOf(this.#home));
    [this.#primary, this.#standby] = [standby, null];
    return { began, old };
  }

  /** By the manual: settings and a role on the primary, a copy at the second site, and the wait for it. */
  async openSecondSite(): Promise<void> {
    await this.#runOn(this.#primary, secondSite.prepare);
    this.#primary.signal('SIGINT');
    await this.#primary.ended;
    this.#primary = startServer(this.#home, this.#primary.cluster, this.primaryPort);
    await this.untilPrimary(this.primaryPort);
    const port = this.ports.find((each) => each !== this.primaryPort) ?? 0;
    const copy = { cluster: clusterOf(this.#home, port), port };
    await this.#runOn(copy, secondSite.copy);
    await this.#follow(copy);
  }

  /** By the manual. The old primary is killed, and what it says is asked of it while nobody follows it. */
  async moveToSecondSite(meanwhile: (old: Pick<Server, 'cluster' | 'port'>) => Promise<void>) {
    const [old, standby] = [this.#primary, this.#standby];
    if (!standby) throw new Error('There is no standby.');
    old.signal('SIGKILL');
    await old.ended;
    const began = performance.now();
    await this.#runOn(standby, secondSite.promote);
    const promoted = performance.now() - began;
    [this.#primary, this.#standby] = [standby, null];
    await meanwhile(old);
    const comes = performance.now();
    const said = await this.#runOn(old, secondSite.comeBack);
    await this.#follow(old);
    return { began, promoted, back: performance.now() - comes, said };
  }

  /** Starts a server of the old primary where no caller finds it, as a machine that comes up again does. */
  async startApart(old: Pick<Server, 'cluster'>): Promise<Server> {
    const server = startServer(this.#home, old.cluster, await freePort());
    await this.untilPrimary(server.port);
    return server;
  }

  async #follow(copy: Pick<Server, 'cluster' | 'port'>): Promise<void> {
    this.#standby = startServer(this.#home, copy.cluster, copy.port);
    await this.#untilStandby('true');
    await this.#runOn(this.#primary, secondSite.wait);
    await this.#untilStandby(`sync_state = 'sync'`);
  }

  #runOn = ({ cluster, port }: Pick<Server, 'cluster' | 'port'>, commands: readonly string[]): Promise<string> => {
    const otherPort = this.ports.find((each) => each !== port) ?? 0;
    return runAll(commands, { data: cluster, port, otherPort, options: optionsOf(this.#home), superuser });
  };

  async stop(): Promise<void> {
    for (const server of [this.#standby, this.#primary]) {
      server?.signal('SIGKILL');
      await server?.ended;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

const clusterOf = ({ directory }: Home, port: number) => join(directory, `cluster-${port}`);
const optionsOf = ({ directory, runAs }: Home) => ({ ...runAs, cwd: directory, env: environment });

function startServer(home: Home, cluster: string, port: number): Server {
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  const args = ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])];
  const child = spawn(program('postgres'), args, { ...optionsOf(home), stdio: 'ignore' });
  return {
    cluster,
    port,
    ended: once(child, 'exit'),
    /** The postmaster first, so that it makes no new children meanwhile. */
    signal(name) {
      const { stdout } = spawnSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' });
      const children = stdout.split('\n').filter(Boolean).map(Number);
      for (const pid of name === 'SIGCONT' ? [...children, child.pid ?? 0] : [child.pid ?? 0, ...children])
        trySignal(pid, name);
    },
  };
}

function trySignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended meanwhile.
  }
}
