import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { environment, superuser } from '../server/embedded-postgres/cluster.ts';
import { findHome, giveTo } from '../server/embedded-postgres/home.ts';
import { freePort } from '../test/faults/process.ts';

export type Node = { port: number; cluster: string; server: ChildProcess };

/** What is not installed in `folder`, the one with `bin` of a Postgres that has Citus. */
export function missingIn(folder: string): string[] {
  const programs = ['postgres', 'initdb', 'pg_config'].map((name) => join(folder, 'bin', name));
  const missing = programs.filter((path) => !existsSync(path));
  if (missing.length > 0) return missing;
  const ask = (what: string) => execFileSync(join(folder, 'bin/pg_config'), [what], { encoding: 'utf8' }).trim();
  return [join(ask('--pkglibdir'), 'citus.so'), join(ask('--sharedir'), 'extension/citus.control')].filter(
    (path) => !existsSync(path),
  );
}

const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'shared_preload_libraries=citus',
  'wal_level=logical', // a schema moves by logical replication
  'max_connections=200',
  'max_prepared_transactions=200',
  'citus.enable_schema_based_sharding=on',
];

/** A coordinator and workers, and beside them a Postgres without Citus's tables to compare with. */
export class CitusCluster {
  readonly folder: string;
  readonly nodes: Node[] = [];
  readonly #bin: string;
  readonly #home: ReturnType<typeof findHome>;

  private constructor(folder: string, bin: string) {
    this.folder = folder;
    this.#bin = bin;
    this.#home = findHome(folder, () => {});
    giveTo(this.#home.runAs, this.#home.directory);
  }

  static async start(installed: string, workers: number): Promise<CitusCluster> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'atelier-citus-')));
    await chmod(folder, 0o711);
    const cluster = new CitusCluster(folder, join(installed, 'bin'));
    for (let n = 0; n <= workers + 1; n++) await cluster.#addNode();
    const [coordinator, ...others] = cluster.nodes;
    for (const { port } of cluster.nodes) await cluster.ask(port, 'create database atelier', [], 'postgres');
    for (const { port } of cluster.nodes.slice(0, -1)) await cluster.ask(port, 'create extension citus');
    await cluster.ask(coordinator!.port, `select citus_set_coordinator_host('127.0.0.1', $1::int)`, [
      coordinator!.port,
    ]);
    for (const { port } of others.slice(0, -1))
      await cluster.ask(coordinator!.port, `select citus_add_node('127.0.0.1', $1::int)`, [port]);
    // Made on the coordinator, which makes it on the workers: a role that Citus did not make there, it cannot use.
    for (const { port } of [coordinator!, others.at(-1)!]) await cluster.ask(port, 'create role atelier login createdb');
    for (const { port } of cluster.nodes)
      await cluster.ask(port, 'alter database atelier owner to atelier', [], 'postgres');
    return cluster;
  }

  get coordinator(): Node {
    return this.nodes[0]!;
  }
  get workers(): Node[] {
    return this.nodes.slice(1, -1);
  }
  get plain(): Node {
    return this.nodes.at(-1)!;
  }

  urlOf = ({ port }: Pick<Node, 'port'>, role = 'atelier', database = 'atelier') =>
    `postgres://${role}@127.0.0.1:${port}/${database}?sslmode=disable`;

  // The caller knows its own statement.
  // oxlint-disable-next-line typescript/no-explicit-any
  async ask(port: number, statement: string, values: unknown[] = [], database = 'atelier'): Promise<any[]> {
    const client = new pg.Client(this.urlOf({ port }, superuser, database));
    await client.connect();
    try {
      return (await client.query(statement, values)).rows;
    } finally {
      await client.end();
    }
  }

  async #addNode(): Promise<void> {
    const port = await freePort();
    const cluster = join(this.#home.directory, `node-${this.nodes.length}`);
    execFileSync(
      join(this.#bin, 'initdb'),
      ['-D', cluster, '-U', superuser, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'],
      this.#options(),
    );
    this.nodes.push({ port, cluster, server: this.#serve(cluster, port) });
    await this.#untilReady(port);
  }

  /** As after a crash of its machine. */
  async kill(node: Node): Promise<void> {
    const children = execFileSync('pgrep', ['-P', String(node.server.pid)], { encoding: 'utf8' });
    for (const pid of [node.server.pid!, ...children.split('\n').filter(Boolean).map(Number)])
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended meanwhile.
      }
    await once(node.server, 'exit').catch(() => {});
  }

  async startAgain(node: Node): Promise<void> {
    node.server = this.#serve(node.cluster, node.port);
    await this.#untilReady(node.port);
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.nodes.map(async ({ server }) => {
        if (server.exitCode !== null || server.signalCode !== null) return;
        const ended = once(server, 'exit');
        server.kill('SIGINT');
        await ended;
      }),
    );
    await rm(this.folder, { recursive: true, force: true });
  }

  #options = () => ({ ...this.#home.runAs, cwd: this.#home.directory, env: environment });

  #serve = (cluster: string, port: number) =>
    spawn(
      join(this.#bin, 'postgres'),
      ['-D', cluster, ...[`port=${port}`, ...settings].flatMap((setting) => ['-c', setting])],
      { ...this.#options(), stdio: 'ignore' },
    );

  async #untilReady(port: number): Promise<void> {
    for (const giveUp = performance.now() + 30_000; ; await wait(100))
      try {
        await this.ask(port, 'select 1', [], 'postgres');
        return;
      } catch (error) {
        if (performance.now() > giveUp) throw error;
      }
  }
}
