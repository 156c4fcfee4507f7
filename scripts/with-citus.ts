import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { runMigrations } from 'graphile-worker';
import { Atelier } from '../client/atelier.ts';
import { openFolder, removeFolder, run, type Run } from '../test/faults/process.ts';
import { draft } from '../test/support/jobs.ts';
import { addressOf, makeCustomer } from '../test/support/service-process.ts';
import { CitusCluster, missingIn } from './citus-cluster.ts';
import { operator, story } from './demo-story.ts';

/**
 * `node scripts/with-citus.ts FOLDER` tries two installations on two nodes of Citus. FOLDER has a Postgres
 * with Citus, such as /usr/lib/postgresql/18. Prints what it sees, and ends with 1 if something fails.
 */
const [, , folder = ''] = process.argv;
const missing = missingIn(folder);
if (missing.length > 0) {
  process.stderr.write(`Usage: node scripts/with-citus.ts FOLDER\nMissing: ${missing.join(', ')}\n`);
  process.exit(2);
}

const secretKey = `citus-${randomUUID()}`;
const say = (text: string) => process.stdout.write(`${text}\n`);
let failed = false;
const expect = (what: string, ok: boolean) => {
  failed ||= !ok;
  say(`${ok ? 'ok    ' : 'FAILED'} ${what}`);
};

type Installation = { schema: string | null; url: string; folder: string; key: string; run: Run };

async function install(databaseUrl: string, schema: string | null): Promise<Installation> {
  const home = await openFolder();
  const env = { SECRET_KEY: secretKey, ...(schema === null ? {} : { DATABASE_SCHEMA: schema }) };
  const running = run({
    ...env,
    DATABASE_URL: databaseUrl,
    DATA_DIR: home,
    PORT: '0',
    WEBHOOK_ALLOW: '127.0.0.1',
    OPERATOR_EMAIL: operator.email,
    OPERATOR_PASSWORD: operator.password,
  });
  const url = await addressOf(running);
  return { schema, url, folder: home, run: running, key: await makeCustomer(url, home, databaseUrl, env) };
}

const client = ({ url, key }: Installation) => new Atelier({ url, token: key, retries: 0 });
const create = (of: Installation) =>
  client(of).createJob({ body: draft, headers: { 'Idempotency-Key': randomUUID() } });

/** Creates per second with 16 callers, and the median of a lone one in milliseconds. */
async function measure(of: Installation): Promise<{ rate: number; alone: number }> {
  const seconds = 8;
  let count = 0;
  const until = performance.now() + seconds * 1_000;
  const caller = async () => {
    for (; performance.now() < until; count++) await create(of);
  };
  await Promise.all(Array.from({ length: 16 }, caller));
  const times: number[] = [];
  for (let n = 0; n < 40; n++) {
    const began = performance.now();
    await create(of);
    times.push(performance.now() - began);
  }
  return { rate: Math.round(count / seconds), alone: Math.round(times.toSorted((a, b) => a - b)[20] ?? 0) };
}

/** Orders until it is stopped. Returns how many were acknowledged, refused, and how long the slowest took. */
function keepOrdering(of: Installation) {
  const seen = { acknowledged: 0, refused: 0, slowest: 0 };
  let going = true;
  const caller = async () => {
    while (going) {
      const began = performance.now();
      await create(of).then(
        () => seen.acknowledged++,
        () => seen.refused++,
      );
      seen.slowest = Math.max(seen.slowest, Math.round(performance.now() - began));
    }
  };
  const done = Promise.all([0, 1, 2].map(caller));
  return async () => {
    going = false;
    await done;
    return seen;
  };
}

async function isSound({ schema, folder: home }: Installation, databaseUrl: string): Promise<boolean> {
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: home, SECRET_KEY: secretKey, DATABASE_SCHEMA: schema ?? 'public' };
  const { ended, said } = run(env, { program: ['cli/admin.ts', 'check'] });
  const code = await ended;
  if (code !== 0) say(said());
  return code === 0;
}

const cluster = await CitusCluster.start(folder, 2);
const [version] = await cluster.ask(cluster.coordinator.port, 'select citus_version() as words');
say(version.words as string);
const databaseUrl = cluster.urlOf(cluster.coordinator);
const opened: Installation[] = [];
try {
  const [first, second] = cluster.workers;
  const nodeOf = async ({ schema }: Installation) => {
    const statement = `
      select distinct nodeport as port from citus_shards where table_name::text like $1 || '.%'`;
    return (await cluster.ask(cluster.coordinator.port, statement, [schema])).map(({ port }) => port as number);
  };
  const move = ({ schema }: Installation, port: number) =>
    cluster.ask(cluster.coordinator.port, `select citus_schema_move($1::regnamespace, '127.0.0.1', $2::int)`, [
      schema,
      port,
    ]);
  // Tasks stay on the coordinator: the library of the queue makes its tables by texts of several statements.
  const local = '-c citus.enable_ddl_propagation=off -c citus.enable_schema_based_sharding=off';
  for (const schema of ['studio_a_queue', 'studio_b_queue'])
    await runMigrations({ connectionString: `${databaseUrl}&options=${encodeURIComponent(local)}`, schema });
  for (const schema of ['studio_a', 'studio_b']) opened.push(await install(databaseUrl, schema));
  const [a, b] = opened as [Installation, Installation];
  for (const [installation, { port }] of [
    [a, first!],
    [b, second!],
  ] as const)
    if (!(await nodeOf(installation)).every((at) => at === port)) await move(installation, port);
  say(`studio_a on ${(await nodeOf(a)).join()}, studio_b on ${(await nodeOf(b)).join()}`);
  for (const { url, folder: home } of opened) await story(url, home);
  expect('the demo on both installations', true);
  for (const installation of opened) {
    const answers = await Promise.allSettled(Array.from({ length: 100 }, () => create(installation)));
    expect(
      `100 orders at once on ${installation.schema}`,
      answers.every(({ status }) => status === 'fulfilled'),
    );
    expect(`admin check of ${installation.schema}`, await isSound(installation, databaseUrl));
  }

  const stop = keepOrdering(b);
  await wait(1_000);
  const began = performance.now();
  await move(b, first!.port);
  const took = ((performance.now() - began) / 1_000).toFixed(1);
  await wait(1_000);
  const { acknowledged, refused, slowest } = await stop();
  expect(
    `studio_b moved in ${took} s under creates: ${acknowledged} acknowledged, ${refused} refused, at most ${slowest} ms`,
    refused === 0,
  );
  expect('admin check of studio_b', await isSound(b, databaseUrl));
  await move(b, second!.port);

  await cluster.kill(second!);
  const served = await Promise.allSettled([
    create(a),
    new Atelier({ url: a.url, retries: 0 })
      .signIn({ body: operator })
      .then(({ token }) => new Atelier({ url: a.url, token, retries: 0 }).listQueue()),
    new Atelier({ url: a.url, retries: 0 }).signUp({
      body: { name: 'New', email: `${randomUUID()}@example.com`, password: 'correct horse battery' },
    }),
  ]);
  expect(
    'with the node of studio_b killed, studio_a creates, lists at the desk, and signs up',
    served.every(({ status }) => status === 'fulfilled'),
  );
  expect(
    'meanwhile studio_b refuses',
    await create(b).then(
      () => false,
      () => true,
    ),
  );
  await cluster.startAgain(second!);
  await wait(3_000);
  expect(
    'afterwards studio_b creates again',
    await create(b).then(
      () => true,
      () => false,
    ),
  );

  opened.push(await install(cluster.urlOf(cluster.plain), null));
  for (const [name, installation] of [
    ['Citus', a],
    ['plain Postgres', opened[2]!],
  ] as const) {
    const { rate, alone } = await measure(installation);
    say(`${name}: ${rate} creates/s with 16 callers, ${alone} ms alone (median)`);
  }
} finally {
  for (const { run: running, folder: home } of opened) {
    running.child.kill('SIGKILL');
    await removeFolder(home);
  }
  await cluster.stop();
}
process.exitCode = failed ? 1 : 0;
