import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { mintKey } from '../server/keys/key-finder.ts';
import { createAccounts } from './create-accounts.ts';
import { startService } from './start-service.ts';

/**
 * `npm run bench:credentials` checks that the time of a 401 does not reveal what is wrong with a key. Each
 * round tries all kinds in random order. Read the ratio and t (Welch's): below |t| = 4.5 there is no
 * difference. "Again" repeats a kind; the control, a server that looks up twice for a known prefix, must
 * differ.
 */

const rounds = Number(process.env.ROUNDS ?? 3_000);
/** Keys of each kind, so that no result depends on one row. */
const many = 100;

const service = await startService();
await createAccounts(service, 1);
const database = new pg.Pool({ connectionString: service.databaseUrl, max: 2 });
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

type Row = { revoked?: boolean; expired?: boolean; digest?: Buffer };

async function storedKey({ revoked = false, expired = false, digest }: Row): Promise<string> {
  const key = mintKey('atl');
  const { rowCount } = await database.query(
    `insert into api_keys (id, account_id, created_by, name, prefix, secret_sha256, scopes, revoked_at, expires_at)
     select $1, account_id, created_by, 'bench', $2, $3, scopes, case when $4 then now() end, case when $5 then now() end
     from api_keys order by created_at limit 1`,
    [randomUUID(), key.prefix, digest ?? key.digest, revoked, expired],
  );
  if (rowCount !== 1) throw new Error('There is no account to give a key to.');
  return key.plaintext;
}

const keysBy = (make: () => Promise<string>) => Promise.all(Array.from({ length: many }, make));
const mistyped = (key: string) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
const unknown = async () => mintKey('atl').plaintext;
const kinds = {
  'unknown prefix': await keysBy(unknown),
  'unknown prefix, again': await keysBy(unknown),
  'wrong secret': await keysBy(() => storedKey({ digest: mintKey('atl').digest })),
  'wrong secret, revoked': await keysBy(() => storedKey({ revoked: true, digest: mintKey('atl').digest })),
  'wrong secret, expired': await keysBy(() => storedKey({ expired: true, digest: mintKey('atl').digest })),
  malformed: await keysBy(async () => mistyped(await unknown())),
};
await database.query('analyze api_keys');

/** The duration of a 401, and its body without the request id. */
const ask = (port: number, key: string): Promise<{ ms: number; said: string }> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    const began = performance.now();
    const sent = request({ host: '127.0.0.1', port, path: '/api/v1/me', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        const ms = performance.now() - began;
        if (response.statusCode === 401) resolve({ ms, said: text.replace(/req_\w+/, '') });
        else reject(new Error(`It answered ${response.statusCode}: ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end();
  });

const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((item): [number, T] => [Math.random(), item])
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);

const quantile = (sorted: number[], part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;

function welch(a: number[], b: number[]): number {
  const [first, other] = [a, b].map((times) => {
    const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length;
    const variance = times.reduce((sum, ms) => sum + (ms - mean) ** 2, 0) / (times.length - 1);
    return { mean, error: variance / times.length };
  }) as [{ mean: number; error: number }, { mean: number; error: number }];
  return (first.mean - other.mean) / Math.sqrt(first.error + other.error);
}

async function compare(title: string, port: number, names: (keyof typeof kinds)[]): Promise<Map<string, number>> {
  const times = new Map<keyof typeof kinds, number[]>(names.map((name) => [name, []]));
  const answers = new Set<string>();
  for (let round = -200; round < rounds; round++)
    for (const name of shuffled(names)) {
      const { ms, said } = await ask(port, kinds[name][(round + 200) % many]!);
      answers.add(said);
      if (round >= 0) times.get(name)?.push(ms);
    }
  if (answers.size !== 1) throw new Error(`There are ${answers.size} sorts of 401:\n${[...answers].join('\n')}`);
  const usual = new Map([...times].map(([name, all]) => [name, all.toSorted((a, b) => a - b).slice(0, rounds * 0.95)]));
  const first = usual.get(names[0]!)!;
  console.log(`\n${title}: ${rounds} of each, one body for all but for its request id`);
  const ts = new Map<string, number>();
  for (const [name, sorted] of usual) {
    const median = quantile(sorted, 0.5 / 0.95);
    const [ratio, t] = [median / quantile(first, 0.5 / 0.95), welch(sorted, first)];
    ts.set(name, t);
    console.log(
      `${name.padEnd(24)} ${(median * 1000).toFixed(0).padStart(6)} µs   ratio ${ratio.toFixed(3)}   t ${t.toFixed(1).padStart(6)}`,
    );
  }
  return ts;
}

const naive = createServer((request, answer) => {
  const [, prefix = '', secret = ''] = request.headers.authorization?.split('_') ?? [];
  const refuse = () => setTimeout(() => answer.writeHead(401).end('no'), 5);
  void database.query('select id from api_keys where prefix = $1', [prefix]).then(async ({ rows: [row] }) => {
    if (!row) return refuse();
    const { rows } = await database.query('select secret_sha256 from api_keys where id = $1', [row.id]);
    const digest = createHash('sha256').update(secret).digest();
    return timingSafeEqual(rows[0].secret_sha256, digest) ? answer.end('yes') : refuse();
  });
});

try {
  await compare('The service', Number(new URL(service.origin).port), Object.keys(kinds) as (keyof typeof kinds)[]);
  await new Promise<void>((listening) => naive.listen(0, '127.0.0.1', listening));
  const { port } = naive.address() as AddressInfo;
  const seen = await compare('The control', port, ['unknown prefix', 'unknown prefix, again', 'wrong secret']);
  if (Math.abs(seen.get('wrong secret') ?? 0) < 4.5)
    throw new Error('The control was not seen: these figures say nothing. Request for more ROUNDS.');
} finally {
  naive.close();
  agent.destroy();
  await database.end();
  await service.close();
}
