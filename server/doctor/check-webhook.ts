import { receiveWebhook } from '../../contract/plans/billing.ts';
import type { Provider, WebhookEndpoint } from '../billing/provider.ts';
import { supportedTypes } from '../billing/payload.ts';
import { readRenewals, readWebhookHealth, type WebhookHealth } from '../billing/webhook-health.ts';
import type { Db } from '../db/pool.ts';
import { sayMoment } from '../lib/moment.ts';
import { counted, fail, type Finding, ok, warn } from './run-checks.ts';

const webhookUrl = (publicUrl: string): string => `${publicUrl}${receiveWebhook.path}`;

const list = (names: readonly string[]) => names.join(', ');

/** What came of the posts to the webhook, as all processes recorded it. */
export async function checkSignatures(db: Db, publicUrl: string): Promise<Finding[]> {
  const health = await readWebhookHealth(db);
  if (health.refusedSinceGood > 0) return [refusedFinding(health, webhookUrl(publicUrl))];
  if (health.lastGood === null) return [ok('Nothing that looks like a signed event was ever posted.')];
  if (health.needsSecondSecret)
    return [
      warn(
        'Events match only the second of STRIPE_WEBHOOK_SECRET: without it all would be refused.',
        'Correct the first one before the provider ends the second, a day after the first was made there.',
      ),
    ];
  return [ok(`The last event was accepted on ${sayMoment(health.lastGood)}, and none was refused since.`)];
}

function refusedFinding(health: WebhookHealth, url: string): Finding {
  const { refusedSinceGood, refusedFirstAt, cause, isRefusing, secondsOff } = health;
  const off = Math.abs(secondsOff ?? 0);
  const began = refusedFirstAt === null ? '' : ` since ${sayMoment(refusedFirstAt)}`;
  const again = 'The provider tries again for three days; send older events again there.';
  const words = {
    secret: [
      'none of STRIPE_WEBHOOK_SECRET matches their signature',
      `Set it to the signing secret of the endpoint ${url} at the provider, and restart. ${again} If no event failed there, somebody else posts.`,
    ],
    mode: [
      'STRIPE_WEBHOOK_SECRET is that of an endpoint of the other mode, test or live',
      `Set it to that of the endpoint ${url} in the mode of STRIPE_SECRET_KEY, and restart. ${again}`,
    ],
    clock: [
      `they are signed ${off} s ${(secondsOff ?? 0) < 0 ? 'before' : 'after'} the clock of the process`,
      `Set the clock of each machine that serves: timedatectl set-ntp true. ${again}`,
    ],
  } as const;
  const [reason, action] = words[cause ?? 'secret'];
  const say = isRefusing ? fail : warn;
  return say(`${counted(refusedSinceGood, 'signed post')} refused${began}, none accepted since: ${reason}.`, action);
}

/** Whether renewals came without the invoices that pay them. Nothing to say if they did not. */
export async function checkInvoiceEvents(db: Db): Promise<Finding[]> {
  const { renewals, missingInvoiceEvents } = await readRenewals(db);
  if (!missingInvoiceEvents) return [];
  return [
    warn(
      `${counted(renewals, 'plan')} renewed within 35 days, but no invoice.paid came: whether somebody paid is not known.`,
      `Let the endpoint at the provider send ${list(typesOf('invoice'))}, too.`,
    ),
  ];
}

/** Compares the endpoints at the provider with what the service needs. Throws if it does not answer. */
export async function checkProviderEndpoints(provider: Provider, publicUrl: string): Promise<Finding[]> {
  if (provider.name === 'sandbox') return [];
  const url = webhookUrl(publicUrl);
  const endpoints = await provider.listEndpoints();
  if (endpoints === null)
    return [
      warn(
        'The key may not list the webhook endpoints at the provider, so they are not compared.',
        `Let it read webhook endpoints, or look whether ${url} is enabled there and sends ${list(allTypes)}.`,
      ),
    ];
  const ours = endpoints.filter((endpoint) => placeOf(endpoint.url) === placeOf(url));
  const enabled = ours.filter(({ isEnabled }) => isEnabled);
  if (ours.length === 0) return [missingEndpoint(provider, url, endpoints)];
  if (enabled.length === 0)
    return [fail(`The endpoint ${url} is disabled at the provider.`, 'Enable it there, and send failed events again.')];
  return [typesFinding(enabled, url), ...(enabled.length > 1 ? [severalEndpoints(enabled.length, url)] : [])];
}

const allTypes = [...supportedTypes.keys()];
const typesOf = (kind: string) => allTypes.filter((type) => supportedTypes.get(type) === kind);

/** Without the query, which the service ignores. */
const placeOf = (url: string) => (URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : url);

function missingEndpoint({ livemode }: Provider, url: string, endpoints: readonly WebhookEndpoint[]): Finding {
  const elsewhere = endpoints.filter((endpoint) => placeOf(endpoint.url).endsWith(receiveWebhook.path));
  const others = elsewhere.length > 0 ? ` It has ${list(elsewhere.map((endpoint) => endpoint.url))}.` : '';
  const sentence = `The provider has no endpoint ${url}, so it sends no events here.${others}`;
  const action = `Add it there with the types ${list(allTypes)}, and set STRIPE_WEBHOOK_SECRET to its signing secret.`;
  return livemode
    ? fail(sentence, action)
    : warn(sentence, `${action} Not needed where stripe listen forwards events.`);
}

function typesFinding(enabled: readonly WebhookEndpoint[], url: string): Finding {
  const sent = new Set(enabled.flatMap(({ types }) => types));
  const missing = (types: readonly string[]) => types.filter((type) => !sent.has('*') && !sent.has(type));
  const absent = missing(allTypes);
  if (absent.length === 0) return ok(`The provider posts every type that is read to ${url}.`);
  const say = missing(typesOf('subscription')).length > 0 ? fail : warn;
  return say(`The endpoint ${url} does not send ${list(absent)}.`, 'Add these types to it at the provider.');
}

const severalEndpoints = (count: number, url: string) =>
  warn(
    `The provider has ${count} enabled endpoints ${url}, each with a signing secret of its own.`,
    'Keep one there. If two are needed, name both secrets in STRIPE_WEBHOOK_SECRET.',
  );
