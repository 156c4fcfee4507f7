import { type Figure, type Measured, some } from '../figure.ts';
import { freePort, run } from '../process.ts';
import { broken, service, withWorld, type World } from '../world.ts';

/** A setting that production refuses, and what the refusal must name. */
type Case = { what: string; env?: Record<string, string | undefined>; sql?: string; undo?: string; names: RegExp };

const secret = 'secret-0123456789';

const wrongSettings: Case[] = [
  ...['DATABASE_URL', 'SECRET_KEY', 'PUBLIC_URL', 'SMTP_URL', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'].map(
    (name) => ({
      what: `no ${name}`,
      env: { [name]: undefined },
      names: new RegExp(`^- ${name} `, 'm'),
    }),
  ),
  { what: 'a short SECRET_KEY', env: { SECRET_KEY: secret }, names: /^- SECRET_KEY /m },
  { what: 'an easy SECRET_KEY', env: { SECRET_KEY: 'a'.repeat(40) }, names: /^- SECRET_KEY /m },
  { what: 'PUBLIC_URL by http', env: { PUBLIC_URL: 'http://atelier.example.com' }, names: /^- PUBLIC_URL /m },
  { what: 'WEBHOOK_ALLOW', env: { WEBHOOK_ALLOW: '127.0.0.1' }, names: /^- WEBHOOK_ALLOW /m },
  { what: 'a mistyped rate', env: { RATE_FOO: '1/2' }, names: /^- RATE_FOO /m },
  {
    what: 'no such host',
    env: { DATABASE_URL: `postgres://u:${secret}@nowhere.invalid/x` },
    names: /Check DATABASE_URL/,
  },
];

const wrongDatabases: Case[] = [
  {
    what: 'commits that do not wait for the disk',
    sql: 'alter role atelier set synchronous_commit = off',
    undo: 'alter role atelier reset synchronous_commit',
    names: /synchronous_commit is off/,
  },
  {
    what: 'a role that may not write',
    sql: 'alter role atelier set default_transaction_read_only = on',
    undo: 'alter role atelier reset default_transaction_read_only',
    names: /read-only/,
  },
  {
    what: 'a connection less than it needs',
    sql: 'alter role atelier connection limit 15',
    undo: 'alter role atelier connection limit -1',
    // The other processes may have taken them all, which Postgres says itself.
    names: /connection limit -1|too many connections for role/,
  },
];

/** Starts a process that must refuse. Returns what is wrong with its end. */
async function refuse(
  world: World,
  program: readonly string[],
  { what, env, sql, undo, names }: Case,
): Promise<string[]> {
  if (sql !== undefined) await world.ask(sql);
  const { child, ended, said } = run({ ...world.env, ...env, PORT: String(await freePort()) }, { program });
  const late = setTimeout(() => child.kill('SIGKILL'), 30_000);
  const code = await ended;
  clearTimeout(late);
  if (undo !== undefined) await world.ask(undo);
  return [
    ...(code === 1 ? [] : [`${what}: it ended with ${code}`]),
    ...(names.test(said()) ? [] : [`${what}: it says ${said().slice(0, 200)}`]),
    ...(said().includes(secret) ? [`${what}: it shows a secret`] : []),
    ...(/listening|\n {4}at /.test(said()) ? [`${what}: it listened, or shows a stack`] : []),
  ];
}

const measure = (cases: readonly Case[], program: readonly string[]): Promise<Measured> =>
  withWorld({}, async (world) => {
    const faults: string[] = [];
    for (const one of cases) faults.push(...(await refuse(world, program, one)));
    return {
      measured: `${cases.length} starts, ${faults.length} faults`,
      faults: some('faults', faults),
    };
  });

export const refusedStarts: Figure = {
  name: 'F15',
  title: 'starts with a wrong setting, or on a database that cannot keep what is promised',
  target: 'each ends with 1 before it listens, names its cause, and shows no secret',
  inShort: false,
  cases: ['test/faults/configuration.test.ts', 'test/faults/limits.test.ts', 'server/db/check-database.test.ts'],
  run: () => measure([...wrongSettings, ...wrongDatabases], service),
  control: () => measure(wrongDatabases.slice(0, 1), broken('unchecked')),
};
