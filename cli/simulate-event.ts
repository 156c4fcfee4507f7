import { randomUUID } from 'node:crypto';
import { receiveWebhook } from '../contract/plans/billing.ts';
import { currentCustomer } from '../server/billing/customer.ts';
import { createProvider } from '../server/billing/create-provider.ts';
import { ranks } from '../server/billing/provider-event.ts';
import type { Provider } from '../server/billing/provider.ts';
import { firstPeriod, sendEvent, subscriptionEvent } from '../server/billing/sandbox.ts';
import type { Catalog } from '../server/catalog/catalog.ts';
import { loadCatalog } from '../server/catalog/load-catalog.ts';
import { readConfig } from '../server/start/config.ts';
import { createSigner } from '../server/lib/signer.ts';
import type { Db } from '../server/db/pool.ts';
import { Failure, type Shared, show } from './output.ts';
import { addressOf, withDatabase } from './connection.ts';

type Simulated = { type: string; status: string };

/** The event names of the command, such as `subscription-updated`. */
export const simulated: ReadonlyMap<string, Simulated> = new Map([
  ...[...ranks.keys()].map((type): [string, Simulated] => [
    type.replace('customer.', '').replace('.', '-'),
    { type, status: statusOf(type) },
  ]),
  ['subscription-past-due', { type: 'customer.subscription.updated', status: 'past_due' }],
]);

function statusOf(type: string): string {
  if (type === 'customer.subscription.deleted') return 'canceled';
  return type === 'customer.subscription.paused' ? 'paused' : 'active';
}

type Options = Shared & { account: string; plan: string };
type Dependencies = { db: Db; catalog: Catalog; provider: Provider };
type Outcome = { id: string; outcome: string; reason: string | null };

/** Sends the running service an event as the provider would. It passes the same checks. */
export async function simulateEvent(name: string, options: Options): Promise<void> {
  const { io } = options;
  const config = readConfig(io.env);
  const address = addressOf(config, options);
  const catalog = loadCatalog(config.catalogDir);
  const provider = createProvider(config, catalog, config.publicUrl, createSigner(config.secretKeys));
  const outcome = await withDatabase(io, config, async (db) => {
    const event = await makeEvent({ db, catalog, provider }, name, options);
    await post(`${address}${receiveWebhook.path}`, config.webhookSecrets[0] ?? '', event);
    return outcomeOf(db, event.id);
  });
  const { id, reason } = outcome;
  show(options, outcome, [`${id}  ${outcome.outcome}${reason === null ? '' : `: ${reason}`}`]);
  if (reason !== null) throw new Failure('The event was ignored.', 'See its reason; it changed nothing.');
}

async function makeEvent(
  { db, catalog, provider }: Dependencies,
  name: string,
  { account: accountId, plan: code }: Options,
) {
  const { type, status } = simulated.get(name)!;
  if (provider.livemode)
    throw new Failure('The provider takes real money.', 'Simulate events only with the sandbox or a test mode key.');
  const plan = catalog.plans.get(code);
  if (!plan) throw new Failure(`There is no plan ${code}.`, `Use one of ${[...catalog.plans.keys()].join(', ')}.`);
  const customer = await currentCustomer(db, provider.name, accountId);
  if (customer === null)
    throw new Failure(
      'This account has no customer at the provider.',
      'Have its owner start a checkout first: POST /api/checkout/tier.',
    );
  const now = new Date();
  const begins = type === 'customer.subscription.created';
  const subscription = begins ? null : await newestSubscription(db, accountId);
  const isRunning = subscription?.period_start && subscription.period_end && subscription.period_end > now;
  return subscriptionEvent(
    {
      id: `evt_simulated_${randomUUID()}`,
      type,
      subscription: subscription?.subscription ?? `sub_simulated_${randomUUID()}`,
      customer,
      accountId,
      status,
      created: afterLast(now, subscription?.event_created_at ?? null),
      period: isRunning ? { start: subscription.period_start!, end: subscription.period_end! } : firstPeriod(plan, now),
    },
    plan,
  );
}

/** Of two events of one second the worse state counts, so the next one is of the next second. */
const afterLast = (now: Date, last: Date | null): Date =>
  new Date(Math.max(now.getTime(), last === null ? 0 : last.getTime() + 1000));

const newestSubscription = (db: Db, accountId: string) =>
  db
    .selectFrom('entitlements as e')
    .leftJoin('entitlement_periods as p', (on) =>
      on.onRef('p.account_id', '=', 'e.account_id').onRef('p.entitlement_id', '=', 'e.id'),
    )
    .where('e.account_id', '=', accountId)
    .select(['e.subscription', 'e.event_created_at', 'p.period_start', 'p.period_end'])
    .orderBy('e.updated_at', 'desc')
    .limit(1)
    .executeTakeFirst();

async function post(url: string, secret: string, event: object): Promise<void> {
  const answer = await sendEvent(url, secret, event).catch((error: unknown) => {
    throw new Failure(
      `The service at ${new URL(url).origin} could not be reached: ${error instanceof Error ? error.message : ''}`,
      'Start it, or pass its address with --url.',
    );
  });
  if (answer.ok) return;
  const { error } = (await answer.json()) as { error: { code: string; action: string; request_id: string } };
  throw new Failure(`The service answered ${answer.status} ${error.code} (${error.request_id}).`, error.action);
}

async function outcomeOf(db: Db, id: string): Promise<Outcome> {
  const event = db.selectFrom('provider_events').select(['id', 'outcome', 'reason']).where('id', '=', id);
  const row = await event.executeTakeFirst();
  if (!row) throw new Failure('The service uses another database than this command.', 'Give both the same settings.');
  return row;
}
