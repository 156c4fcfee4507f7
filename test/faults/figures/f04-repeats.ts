import { randomUUID } from 'node:crypto';
import { showId } from '../../../server/lib/id.ts';
import { sign } from '../../../server/billing/signature.ts';
import { goodBodies } from '../../support/every-endpoint.ts';
import { readySession } from '../../support/intake.ts';
import { draft, newJobIn, type Studio } from '../../support/jobs.ts';
import { seconds, subscriptionEvent } from '../../support/plans.ts';
import { type Figure, type Measured, some } from '../figure.ts';
import { asksTo, type Asks, type Outcome } from '../load.ts';
import { broken, newStudio, withWorld, type World } from '../world.ts';

/** What is asked with one key, and another body that this key must refuse. */
type Scene = { path: string; body?: object; other?: object };

const delivered = (studio: Studio) => newJobIn(studio, 'ready_for_customer_review');
const words = (customer_instructions: string) => ({ customer_instructions });

const scenes: Record<string, (studio: Studio) => Promise<Scene>> = {
  create: async () => ({ path: '/api/v1/jobs', body: draft, other: { ...draft, customer_title: 'Another logo' } }),
  approve: async (studio) => ({ path: `/api/v1/jobs/${await delivered(studio)}/approve` }),
  cancel: async (studio) => ({ path: `/api/v1/jobs/${await newJobIn(studio, 'queued')}/cancel` }),
  revision: async (studio) => ({
    path: `/api/v1/jobs/${await delivered(studio)}/revision`,
    body: words('Rounder.'),
    other: words('Flatter.'),
  }),
  confirm: async ({ service, key }) => ({
    path: `/api/v1/intake/sessions/${(await readySession(service, key)).id}/confirm`,
    body: {},
    other: { brief_version: 1 },
  }),
  presign: async () => ({
    path: '/api/v1/files/presign',
    body: goodBodies.presignUpload!,
    other: { ...goodBodies.presignUpload, size_bytes: 6 },
  }),
};

const counted = ['jobs', 'events', 'usage_ledger', 'files', 'job_revisions', 'audit_log'];

/** How many rows of each table a run adds. */
async function added(world: World, run: () => Promise<unknown>): Promise<string> {
  const columns = counted.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ');
  const count = async (): Promise<Record<string, number>> => (await world.ask(`select ${columns}`))[0];
  const before = await count();
  await run();
  const after = await count();
  return counted
    .filter((table) => after[table] !== before[table])
    .map((table) => `${after[table]! - before[table]!} ${table}`)
    .join(', ');
}

/** What an answer is about. */
const idOf = ({ body }: Outcome): string =>
  body?.job?.id ?? body?.file?.id ?? body?.intake_session?.job_id ?? JSON.stringify(body);
const isGood = ({ status }: Outcome) => status >= 200 && status < 300;

/** `of`: the answers that must all be good and name the same thing. */
function repeatFaults(name: string, of: readonly Outcome[]): string[] {
  const bad = of.filter((outcome) => !isGood(outcome) || outcome.fault !== null);
  const ids = new Set(of.filter(isGood).map(idOf));
  return [
    ...bad.map(({ status, code, fault }) => `${name}: ${status} ${code ?? ''} ${fault ?? ''}`),
    ...(ids.size > 1 ? [`${name} made ${ids.size} things`] : []),
  ];
}

async function repeatScenes(world: World, asks: readonly Asks[], repeats: number): Promise<string[]> {
  const studio = await newStudio(world);
  const faults: string[] = [];
  const sent: { name: string; scene: Scene; key: string; id: string }[] = [];
  for (const [name, prepare] of Object.entries(scenes)) {
    const send = (n: number, key: string, { path, body }: Pick<Scene, 'path' | 'body'>) =>
      asks[n % 2]!('POST', path, { as: studio.key, key, body });
    const alone = await prepare(studio);
    const once = await added(world, () => send(0, randomUUID(), alone));
    const [scene, key] = [await prepare(studio), randomUUID()];
    let outcomes: Outcome[] = [];
    const all = await added(world, async () => {
      outcomes = await Promise.all(Array.from({ length: repeats }, (_, n) => send(n, key, scene)));
    });
    faults.push(...repeatFaults(name, outcomes));
    if (all !== once) faults.push(`${name} added ${all || 'nothing'} instead of ${once}`);
    if (scene.other) {
      const others = await Promise.all(
        Array.from({ length: 10 }, (_, n) => send(n, key, { path: scene.path, body: scene.other! })),
      );
      const accepted = others.filter(({ status, code }) => `${status} ${code}` !== '422 idempotency_key_conflict');
      if (accepted.length > 0) faults.push(`${name} with another body: ${accepted.length} × ${accepted[0]?.status}`);
    }
    sent.push({ name, scene, key, id: outcomes.find(isGood) ? idOf(outcomes.find(isGood)!) : '' });
  }
  // After a restart, and shortly before a key is forgotten.
  for (const process of [world.first, world.second]) {
    await process.end('SIGTERM');
    await process.start();
  }
  await world.ask(`update idempotency_keys set created_at = now() - interval '29 days 23 hours'`);
  for (const { name, scene, key, id } of sent)
    for (const ask of asks) {
      const outcome = await ask('POST', scene.path, { as: studio.key, key, body: scene.body });
      if (!isGood(outcome) || idOf(outcome) !== id)
        faults.push(`${name} after a restart: ${outcome.status} ${idOf(outcome)}`);
    }
  return faults;
}

/** Fifty copies of one event of the provider. */
async function repeatEvent(world: World): Promise<string[]> {
  const { ada } = await newStudio(world);
  const customer = `cus_${randomUUID().slice(0, 8)}`;
  const { livemode, name: provider } = world.service.context.provider;
  await world.ask('insert into provider_customers (account_id, provider, customer) values ($1, $2, $3)', [
    ada.accountId,
    provider,
    customer,
  ]);
  const names = { accountId: ada.accountId, customer, subscription: `sub_${randomUUID()}` };
  const event = subscriptionEvent(world.service, names, 'agent', { livemode });
  const body = JSON.stringify(event);
  const header = sign(world.env.STRIPE_WEBHOOK_SECRET!, seconds(Date.now()), body);
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      const origin = [world.first.url, world.second.url][n % 2]!;
      const headers = { 'stripe-signature': header, 'content-type': 'application/json' };
      const response = await fetch(`${origin}/api/stripe/webhook`, { method: 'POST', headers, body });
      const { status } = (await response.json()) as { status?: string };
      return `${response.status} ${status}`;
    }),
  );
  const processed = answers.filter((answer) => answer === '200 processed').length;
  const duplicates = answers.filter((answer) => answer === '200 duplicate').length;
  const [rows] = await world.ask(
    `select (select count(*)::int from provider_events where id = $1) as events,
      (select count(*)::int from entitlements where account_id = $2 and code = 'agent') as plans`,
    [event.id, ada.accountId],
  );
  const right = processed === 1 && duplicates === 49 && rows.events === 1 && rows.plans === 1;
  return right
    ? []
    : [
        `an event sent 50 times to ${showId('acct', ada.accountId)}: ${processed} processed, ${duplicates} duplicates, ${rows.plans} plans`,
      ];
}

async function measure(repeats: number, terms: Parameters<typeof withWorld>[0]): Promise<Measured> {
  return withWorld(terms, async (world) => {
    const asks = [asksTo(world.first.url), asksTo(world.second.url)];
    const faults = [...(await repeatScenes(world, asks, repeats)), ...(await repeatEvent(world))];
    asks.forEach((ask) => ask.close());
    const names = Object.keys(scenes).join(', ');
    return {
      measured: `${repeats} × one key on ${names}, 50 × one event: ${faults.length} faults`,
      faults: some('faults', faults),
    };
  });
}

export const repeats: Figure = {
  name: 'F4',
  title: 'the same request 200 times at once with one Idempotency-Key, to both processes',
  target: 'one effect each, also after a restart and before 30 days are over; another body is always refused',
  inShort: true,
  run: ({ short }) => measure(short ? 40 : 200, {}),
  control: () => measure(20, { programs: [broken('forgotten-keys'), broken('forgotten-keys')] }),
};
