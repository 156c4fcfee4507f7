import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { receiveWebhook } from '../../contract/plans/billing.ts';
import { type Catalog, offeredPlans, type Plan, priceText } from '../catalog/catalog.ts';
import { databaseTime, type Db } from '../db/pool.ts';
import { page, text } from '../lib/html.ts';
import { Refusal } from '../http/refusal.ts';
import { plansUrl } from './return-url.ts';
import { originOf } from './sandbox-pages.ts';
import { type PortalAction, portalEvents, readPortalToken, sendEvents } from './sandbox.ts';
import type { Signer } from '../lib/signer.ts';

type Dependencies = {
  catalog: Catalog;
  config: { webhookSecrets: readonly string[] };
  db: Db;
  publicUrl: string;
  signer: Signer;
};
type PortalRequest = FastifyRequest<{ Params: { token: string; subscription: string; code: string } }>;
type Subscription = {
  subscription: string;
  code: string;
  customer: string;
  account_id: string;
  status: 'active' | 'past_due' | 'paused' | 'stopped';
  period_start: Date;
  period_end: Date;
};

/** Each button sends the signed events, as Stripe does. */
export function sandboxPortal(dependencies: Dependencies): (app: FastifyInstance) => Promise<void> {
  const { catalog, config, db, publicUrl } = dependencies;

  async function send(
    request: PortalRequest,
    action: PortalAction,
    planOf: (subscription: Subscription) => Plan | undefined,
  ) {
    const { token, subscription } = request.params;
    const selected = (await subscriptionsOf(dependencies, token)).find((row) => row.subscription === subscription);
    const plan = selected && planOf(selected);
    if (!plan) throw closed();
    const [secret = ''] = config.webhookSecrets;
    const before = catalog.plans.get(selected.code) ?? plan;
    const events = portalEvents(selected, action, plan, before, await databaseTime(db));
    if (!(await sendEvents(originOf(request) + receiveWebhook.path, secret, events)))
      throw new Refusal('service_unavailable', { headers: { 'retry-after': '2' } });
    return `/sandbox/portal/${token}`;
  }

  return async (app) => {
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => done(null)); // the forms have no fields

    app.get('/sandbox/portal/:token', async (request: PortalRequest, reply) => {
      const { token } = request.params;
      const subscriptions = await subscriptionsOf(dependencies, token);
      const others = (code: string) => offeredPlans(catalog).filter((plan) => plan.code !== code);
      const sections = subscriptions.map((row) => section(token, row, catalog.plans.get(row.code), others(row.code)));
      const list = sections.join('') || '<p>There is no plan that could be changed.</p>';
      const back = `<p><a href="${text(plansUrl(publicUrl))}">Back to ${text(catalog.studio.name)}</a></p>`;
      return page(reply, 'Your plans', `<p>This is the sandbox. No money moves.</p>${list}${back}`);
    });

    app.post('/sandbox/portal/:token/:subscription/change/:code', async (request: PortalRequest, reply) => {
      const plan = catalog.plans.get(request.params.code);
      return reply.redirect(await send(request, 'change', () => plan), 303);
    });

    app.post('/sandbox/portal/:token/:subscription/resume', async (request: PortalRequest, reply) =>
      reply.redirect(await send(request, 'resume', ({ code }) => catalog.plans.get(code)), 303),
    );

    app.post('/sandbox/portal/:token/:subscription/pay', async (request: PortalRequest, reply) =>
      reply.redirect(await send(request, 'pay', ({ code }) => catalog.plans.get(code)), 303),
    );

    app.post('/sandbox/portal/:token/:subscription/end', async (request: PortalRequest, reply) =>
      reply.redirect(await send(request, 'end', ({ code }) => catalog.plans.get(code)), 303),
    );
  };
}

const closed = () => new Refusal('not_found', { message: 'This page is closed or unknown.' });

/** Subscriptions of the token's customer that have not ended and whose plans are still sold. */
async function subscriptionsOf({ db, signer }: Dependencies, token: string): Promise<Subscription[]> {
  const customer = readPortalToken(signer, token, await databaseTime(db));
  if (customer === null) throw closed();
  const bound = await db
    .selectFrom('provider_customers')
    .select('account_id')
    .where('customer', '=', customer)
    .executeTakeFirst();
  if (!bound) return [];
  const { account_id } = bound;
  const { rows } = await sql<Omit<Subscription, 'customer'>>`
    select e.subscription, e.code, e.status, e.account_id, p.period_start, p.period_end
    from entitlements e
    join entitlement_periods p on p.account_id = ${account_id} and p.entitlement_id = e.id
    where e.account_id = ${account_id} and e.status <> 'canceled'
    order by e.granted_at, e.id`.execute(db);
  return rows.map((row) => ({ ...row, customer }));
}

function section(
  token: string,
  { subscription, code, status, period_end }: Subscription,
  plan: Plan | undefined,
  others: Plan[],
): string {
  const path = `/sandbox/portal/${text(token)}/${encodeURIComponent(subscription)}`;
  const form = (action: string, label: string) =>
    `<form method="post" action="${path}/${action}"><button>${text(label)}</button></form>`;
  const name = plan?.name ?? code;
  const pay = form('pay', `Pay ${plan ? priceText(plan) : name}`);
  const steps = {
    active: others.map((other) => form(`change/${text(other.code)}`, `Change to ${other.name}, ${priceText(other)}`)),
    past_due: [pay],
    stopped: [pay],
    paused: [form('resume', `Resume ${name}`)],
  }[status];
  const until = period_end.toISOString().slice(0, 10);
  const state = {
    active: `Paid until ${until}.`,
    past_due: `The payment is overdue. Paid until ${until}.`,
    stopped: 'Stopped, because it is not paid.',
    paused: `Paused. It was paid until ${until}.`,
  }[status];
  const now = plan ? `${name}, ${priceText(plan)}` : code;
  return `<section><h2>${text(now)}</h2><p>${state}</p>${steps.join('')}${form('end', `End ${name}`)}</section>`;
}
