import { randomUUID } from 'node:crypto';
import { draft } from '../../support/jobs.ts';
import { type Figure, type Measured, some } from '../figure.ts';
import { checkBooks } from '../judge.ts';
import { asksTo, type Outcome, tally } from '../load.ts';
import { broken, newCustomer, withWorld, type World } from '../world.ts';

const requests = 200;
const limits = [
  { plan: { quota: 10 }, most: 10, refusal: '403 quota_exceeded' },
  { plan: { concurrency_limit: 3 }, most: 3, refusal: '403 concurrency_limit_exceeded' },
] as const;

type Round = { over: number; under: number; others: string[] };

/** Two hundred orders at once, half to each process, where `most` are left. */
async function race(world: World, { plan, most, refusal }: (typeof limits)[number]): Promise<Round> {
  const customer = await newCustomer(world, plan);
  const asks = [asksTo(world.first.url), asksTo(world.second.url)];
  const order = (n: number): Promise<Outcome> =>
    asks[n % 2]!('POST', '/api/v1/jobs', { as: customer.key, key: randomUUID(), body: draft });
  const outcomes = await Promise.all(Array.from({ length: requests }, (_, n) => order(n)));
  asks.forEach((ask) => ask.close());
  const { 201: created = 0, [refusal]: refused = 0, ...rest } = tally(outcomes);
  const [rows] = await world.ask(
    `select (select count(*)::int from jobs where account_id = $1) as jobs,
      (select sum(used)::int from entitlement_periods where account_id = $1) as used`,
    [customer.person.accountId],
  );
  const untold = [created, rows.used].filter((count) => count !== rows.jobs).length > 0;
  return {
    over: Math.max(0, rows.jobs - most),
    under: Math.max(0, most - rows.jobs),
    others: [
      ...Object.entries(rest).map(([answer, count]) => `${count} × ${answer}`),
      ...outcomes.flatMap(({ fault }) => (fault === null ? [] : [fault])),
      ...(untold ? [`${created} created, ${rows.used} used, ${rows.jobs} jobs`] : []),
      ...(created + refused < requests && Object.keys(rest).length === 0 ? ['requests without an answer'] : []),
    ],
  };
}

async function measure(rounds: number, terms: Parameters<typeof withWorld>[0]): Promise<Measured> {
  return withWorld(terms, async (world) => {
    const results: Round[] = [];
    for (let n = 0; n < rounds; n++) for (const limit of limits) results.push(await race(world, limit));
    const sum = (count: (round: Round) => number) => results.reduce((total, round) => total + count(round), 0);
    const [over, under] = [sum((round) => round.over), sum((round) => round.under)];
    return {
      measured: `${rounds} rounds of each limit, ${requests} orders at once: ${over} oversold, ${under} undersold`,
      faults: [
        ...(over > 0 ? [`${over} oversold`] : []),
        ...(under > 0 ? [`${under} undersold`] : []),
        ...some(
          'other answers',
          results.flatMap(({ others }) => others),
        ),
        ...some('contradictions', await checkBooks(world)),
      ],
    };
  });
}

export const lastQuota: Figure = {
  name: 'F3',
  title: '200 orders at once where ten of the quota, or three active jobs, are left',
  target: '0 oversold, 0 undersold, no other answer than created and refused',
  inShort: true,
  run: ({ short }) => measure(short ? 3 : 20, {}),
  control: () => measure(1, { programs: [broken('count-then-insert'), broken('count-then-insert')] }),
};
