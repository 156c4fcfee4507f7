import type { Plan } from '../../server/catalog/catalog.ts';
import { day, hour, type Moment, RecordedStripe, type Step } from './recorded-stripe.ts';
import type { Item, Session, Shape } from './stripe-events.ts';

export type History = { name: string; about: string; play(stripe: RecordedStripe): void };
type Played = { steps: readonly Step[]; moments: readonly Moment[] };

/** The events of a history about a checkout session, which begins at `start`, in seconds since 1970. */
export function playHistory(
  history: History,
  session: Session,
  plans: readonly Plan[],
  { start, shape = 'since 2025-03-31' }: { start: number; shape?: Shape },
): Played {
  const stripe = new RecordedStripe(session, plans, { start, shape });
  history.play(stripe);
  return stripe;
}

const history = (name: string, about: string, play: History['play']): History => ({ name, about, play });

const beginnings = [
  history('first-payment', 'Paid by card. Its period ends, and no word of a renewal comes.', (stripe) => {
    const subscription = stripe.subscribe();
    subscription.pay();
    stripe.moment('paid');
    stripe.until(subscription.period.end + hour);
    stripe.moment('an hour after the period');
    stripe.later(day);
    stripe.moment('a day and an hour after the period');
  }),
  history('first-payment-3ds', 'Paid by card, after 3-D Secure.', (stripe) => {
    const subscription = stripe.subscribe({ fields: { status: 'incomplete' } });
    stripe.moment('waits for 3-D Secure');
    stripe.later(120);
    subscription.pay();
    stripe.moment('paid');
  }),
  history('first-payment-given-up', 'Nobody answers 3-D Secure for 23 hours.', (stripe) => {
    const subscription = stripe.subscribe({ fields: { status: 'incomplete' } });
    stripe.later(23 * hour);
    subscription.void();
    subscription.update({ status: 'incomplete_expired' });
    stripe.moment('given up');
  }),
  history(
    'bank-debit-fails',
    'A bank debit is under way for four days, comes back, and is paid on a later try.',
    (stripe) => {
      const subscription = stripe.subscribe();
      stripe.moment('under way');
      stripe.later(4 * day);
      subscription.fail();
      stripe.moment('came back');
      stripe.later(3 * day);
      subscription.pay();
      stripe.moment('paid');
    },
  ),
  history('bank-debit-waits', 'A bank debit whose subscription waits for the bank before it begins.', (stripe) => {
    const subscription = stripe.subscribe({ fields: { status: 'incomplete' } });
    stripe.moment('under way');
    stripe.later(2 * day);
    subscription.pay();
    stripe.moment('paid');
  }),
  history('invoice-sent', 'Paid by invoices that are sent: the first in time, the second late.', (stripe) => {
    const terms = { collection_method: 'send_invoice', days_until_due: 14, default_payment_method: null };
    const subscription = stripe.subscribe({ fields: terms });
    subscription.invoiceSent(14);
    stripe.moment('sent');
    stripe.later(10 * day);
    subscription.pay();
    stripe.moment('paid in time');
    stripe.until(subscription.period.end);
    subscription.turn();
    stripe.later(hour);
    subscription.invoiceSent(14);
    stripe.moment('the second is sent');
    stripe.later(14 * day);
    stripe.send('invoice.overdue', {});
    subscription.update({ status: 'past_due' });
    stripe.moment('overdue');
    stripe.later(3 * day);
    subscription.pay();
    stripe.moment('paid late');
  }),
  history('paid-before-created', 'The paid invoice arrives before its subscription.', (stripe) => {
    const created = stripe.holdBack(() => {
      const subscription = stripe.subscribe();
      stripe.arrive(stripe.holdBack(() => subscription.pay()));
    });
    const [subscription, invoice] = created;
    if (!subscription || !invoice) throw new Error('There are two events.');
    stripe.later(5);
    stripe.arrive([invoice]);
    stripe.moment('the invoice arrived');
    stripe.later(5);
    stripe.arrive([subscription]);
    stripe.moment('both arrived');
  }),
  history('minimal-event', 'Only the fields of the specification: no status, no period, no time.', (stripe) => {
    const { id: price, product, unit_amount } = stripe.plan.price;
    const metadata = { ...stripe.session.metadata, service_entitlement_code: stripe.plan.code };
    const items = { data: [{ price: { id: price, product, unit_amount } }] };
    const subscription = stripe.session.id.replace('cs_', 'sub_');
    stripe.send('customer.subscription.updated', { customer: stripe.session.customer, subscription, items, metadata });
    stripe.moment('granted');
  }),
];

const trials = [
  history('trial-with-card', 'A trial with a card, then the first payment.', (stripe) => {
    const subscription = stripe.subscribe({ trialDays: 14 });
    subscription.pay();
    stripe.moment('in the trial');
    stripe.later(11 * day);
    stripe.send('customer.subscription.trial_will_end', {});
    stripe.until(subscription.period.end);
    subscription.turn();
    stripe.moment('over, not yet charged');
    stripe.later(hour);
    subscription.pay();
    stripe.moment('charged');
  }),
  history(
    'trial-without-card',
    'A trial without a card pauses at its end, and goes on once there is one.',
    (stripe) => {
      const end_behavior = { billing_cycle_anchor: null, missing_payment_method: 'pause' };
      const fields = { trial_settings: { end_behavior }, default_payment_method: null };
      const subscription = stripe.subscribe({ trialDays: 14, fields });
      subscription.pay();
      stripe.until(subscription.period.end);
      subscription.update({ status: 'paused' }, 'paused');
      stripe.moment('paused');
      stripe.later(3 * day);
      subscription.resumeAnew();
      stripe.moment('goes on');
    },
  ),
  history('trial-ends-without-card', 'A trial without a card ends the subscription.', (stripe) => {
    const end_behavior = { billing_cycle_anchor: null, missing_payment_method: 'cancel' };
    const subscription = stripe.subscribe({ trialDays: 14, fields: { trial_settings: { end_behavior } } });
    subscription.pay();
    stripe.until(subscription.period.end);
    subscription.end();
    stripe.moment('ended');
  }),
  history('trial-canceled', 'Canceled in the trial for its end.', (stripe) => {
    const subscription = stripe.subscribe({ trialDays: 14 });
    subscription.pay();
    stripe.later(5 * day);
    subscription.update({ cancel_at_period_end: true, cancel_at: subscription.period.end, canceled_at: stripe.now });
    stripe.moment('canceled for its end');
    stripe.until(subscription.period.end);
    subscription.end();
    stripe.moment('ended');
  }),
  history('trial-payment-fails', 'The first payment after a trial fails.', (stripe) => {
    const subscription = stripe.subscribe({ trialDays: 14 });
    subscription.pay();
    stripe.until(subscription.period.end);
    subscription.turn();
    stripe.later(hour);
    subscription.fail();
    stripe.moment('failed');
    stripe.later(2 * day);
    subscription.pay();
    stripe.moment('paid');
  }),
];

/** Paid for a month; the next month is open and its payment has failed. */
function failedRenewal(stripe: RecordedStripe) {
  const subscription = stripe.subscribe();
  subscription.pay();
  stripe.until(subscription.period.end);
  subscription.turn();
  stripe.later(hour);
  subscription.fail();
  return subscription;
}

/** The same after the last try. */
function exhaustedRenewal(stripe: RecordedStripe) {
  const subscription = failedRenewal(stripe);
  for (const days of [3, 4]) {
    stripe.later(days * day);
    subscription.fail();
  }
  return subscription;
}

const renewals = [
  history('renewal-paid', 'Two renewals, each paid an hour after its period opened.', (stripe) => {
    const subscription = stripe.subscribe();
    subscription.pay();
    stripe.until(subscription.period.end);
    subscription.turn();
    stripe.moment('renewed, not yet charged');
    stripe.later(hour);
    subscription.pay();
    stripe.moment('charged');
    subscription.renew();
    stripe.moment('charged again');
  }),
  history('renewal-paid-late', 'A renewal fails twice and is paid on the third try.', (stripe) => {
    const subscription = failedRenewal(stripe);
    stripe.moment('failed');
    stripe.later(3 * day);
    subscription.fail();
    stripe.moment('failed again');
    stripe.later(2 * day);
    subscription.pay();
    stripe.moment('paid');
  }),
  history('renewal-fails', 'A renewal fails for good, and Stripe cancels the subscription.', (stripe) => {
    const subscription = exhaustedRenewal(stripe);
    stripe.moment('failed');
    stripe.later(hour);
    subscription.end('payment_failed');
    stripe.moment('canceled');
  }),
  history(
    'renewal-fails-unpaid',
    'A renewal fails for good. It stops unpaid, and comes back a month later.',
    (stripe) => {
      const subscription = exhaustedRenewal(stripe);
      stripe.later(hour);
      subscription.update({ status: 'unpaid' });
      stripe.moment('stopped');
      stripe.until(subscription.period.end);
      subscription.turn();
      stripe.moment('the next month');
      stripe.later(day);
      subscription.pay(subscription.invoice(1));
      stripe.moment('the older invoice is paid');
      stripe.later(day);
      subscription.pay();
      stripe.moment('the latest invoice is paid');
    },
  ),
  history(
    'renewal-fails-past-due',
    'A renewal fails for good and stays overdue. The months go on unpaid.',
    (stripe) => {
      const subscription = exhaustedRenewal(stripe);
      stripe.until(subscription.period.end);
      subscription.turn();
      stripe.later(hour);
      subscription.fail();
      stripe.moment('the next month');
      stripe.later(10 * day);
      subscription.pay();
      stripe.moment('paid');
    },
  ),
  history('old-invoice-paid', 'The invoice of an older month is paid while the newest is open.', (stripe) => {
    const subscription = failedRenewal(stripe);
    stripe.until(subscription.period.end);
    subscription.turn();
    stripe.later(hour);
    subscription.fail();
    stripe.later(day);
    subscription.pay(subscription.invoice(1));
    stripe.moment('the older invoice is paid');
  }),
  history('account-credit', 'What the customer has in credit pays a renewal.', (stripe) => {
    const subscription = stripe.subscribe();
    subscription.pay();
    stripe.until(subscription.period.end);
    subscription.turn();
    subscription.credit(stripe.plan.price.unit_amount + 10_000);
    stripe.later(hour);
    subscription.pay();
    stripe.moment('paid by credit');
  }),
  history('discounted', 'A coupon takes half of the price.', (stripe) => {
    const subscription = stripe.subscribe({ fields: { discounts: ['di_emulated'] } });
    subscription.discount(stripe.plan.price.unit_amount / 2);
    subscription.pay();
    stripe.moment('paid');
  }),
  history('no-invoice-events', 'Twelve renewals at an endpoint that gets no events of invoices.', (stripe) => {
    const subscription = stripe.subscribe();
    for (let renewal = 1; renewal <= 12; renewal += 1) {
      stripe.until(subscription.period.end);
      subscription.turn();
      stripe.later(hour);
      stripe.moment(`renewal ${renewal}`);
    }
  }),
];

function paid(stripe: RecordedStripe) {
  const subscription = stripe.subscribe();
  subscription.pay();
  stripe.later(10 * day);
  return subscription;
}

const cancellations = [
  history('canceled-now', 'Canceled at once, in a paid month.', (stripe) => {
    paid(stripe).end();
    stripe.moment('canceled');
  }),
  history('canceled-for-the-end', 'Canceled for the end of the period, in the classic form.', (stripe) => {
    const subscription = paid(stripe);
    subscription.update({ cancel_at_period_end: true, cancel_at: subscription.period.end, canceled_at: stripe.now });
    stripe.moment('canceled for the end');
    stripe.until(subscription.period.end);
    subscription.end();
    stripe.moment('ended');
  }),
  history('canceled-for-the-end-flexible', 'The same with flexible billing, which sets the date alone.', (stripe) => {
    const subscription = paid(stripe);
    subscription.update({ cancel_at: subscription.period.end, canceled_at: stripe.now });
    stripe.moment('canceled for the end');
    stripe.until(subscription.period.end + hour);
    stripe.moment('an hour after the end, without word');
  }),
  history('canceled-at-a-date', 'Canceled for a date in the middle of the period.', (stripe) => {
    const subscription = paid(stripe);
    subscription.update({ cancel_at: stripe.now + 5 * day, canceled_at: stripe.now });
    stripe.moment('canceled for the date');
    stripe.later(5 * day + hour);
    stripe.moment('an hour after the date, without word');
    subscription.end();
    stripe.moment('ended');
  }),
  history('cancellation-taken-back', 'Canceled for the end of the period, taken back, and renewed.', (stripe) => {
    const subscription = paid(stripe);
    subscription.update({ cancel_at_period_end: true, cancel_at: subscription.period.end, canceled_at: stripe.now });
    stripe.later(day);
    subscription.update({ cancel_at_period_end: false, cancel_at: null, canceled_at: null });
    stripe.moment('taken back');
    subscription.renew();
    stripe.moment('renewed');
  }),
  history('customer-deleted', 'The customer is deleted at Stripe, which ends the subscription.', (stripe) => {
    paid(stripe).end();
    stripe.send('customer.deleted', { id: stripe.session.customer, object: 'customer' });
    stripe.moment('deleted');
  }),
];

const changes = [
  history('upgrade-now', 'A larger plan at once; the rest of the month is billed.', (stripe) => {
    const subscription = paid(stripe);
    subscription.changePlan(stripe.larger);
    subscription.pay();
    stripe.moment('changed');
    subscription.renew();
    stripe.moment('renewed');
  }),
  history('upgrade-anew', 'A larger plan at once, and a new month begins.', (stripe) => {
    const subscription = paid(stripe);
    subscription.changePlan(stripe.larger, { anew: true });
    subscription.pay();
    stripe.moment('changed');
  }),
  history('upgrade-fails', 'A larger plan at once, and the payment of the rest fails.', (stripe) => {
    const subscription = paid(stripe);
    subscription.changePlan(stripe.larger);
    subscription.fail();
    stripe.moment('failed');
    stripe.until(subscription.period.end + hour);
    stripe.moment('an hour after the paid month');
  }),
  history('downgrade-now', 'A smaller plan at once; the next invoice settles the difference.', (stripe) => {
    const subscription = paid(stripe);
    subscription.changeItems([{ price: stripe.smaller.price, quantity: 1 }]);
    stripe.moment('changed');
    stripe.until(subscription.period.end);
    subscription.turn();
    subscription.settlePending(-100);
    stripe.later(hour);
    subscription.pay();
    stripe.moment('renewed');
  }),
  history('downgrade-at-the-end', 'The portal writes a schedule: a smaller plan with the next period.', (stripe) => {
    const subscription = paid(stripe);
    subscription.update({ schedule: 'sub_sched_emulated' });
    stripe.send('subscription_schedule.created', {});
    stripe.moment('scheduled');
    subscription.renew(stripe.smaller);
    subscription.update({ schedule: null });
    stripe.moment('changed');
  }),
  history(
    'schedule-ends',
    'A schedule of the studio changes the plan and ends the subscription a month later.',
    (stripe) => {
      const subscription = paid(stripe);
      subscription.update({ schedule: 'sub_sched_emulated' });
      subscription.renew(stripe.larger);
      subscription.update({ cancel_at: subscription.period.end });
      stripe.moment('the last month');
      stripe.until(subscription.period.end);
      subscription.end();
      stripe.moment('ended');
    },
  ),
];

const beginsWith = (name: string, about: string, change: (stripe: RecordedStripe) => Partial<Item>) =>
  history(name, about, (stripe) => {
    stripe.subscribe(change(stripe)).pay();
    stripe.moment('paid');
  });

const wrongPrices = [
  beginsWith('other-amount', 'The price has another amount than plans.yaml.', (stripe) => ({
    price: { ...stripe.plan.price, unit_amount: 100 },
  })),
  beginsWith('other-currency', 'The price is in another currency.', (stripe) => ({
    price: { ...stripe.plan.price, currency: 'eur' },
  })),
  beginsWith('other-interval', 'The price is paid yearly.', (stripe) => ({
    price: { ...stripe.plan.price, interval: 'year' },
  })),
  beginsWith('other-price', 'A price that plans.yaml does not have.', (stripe) => ({
    price: { ...stripe.plan.price, id: 'price_studio_old' },
  })),
  beginsWith('quantity-two', 'Two of one plan.', () => ({ quantity: 2 })),
  beginsWith('quantity-zero', 'None of a plan.', () => ({ quantity: 0 })),
  history('price-changed', 'The studio changes the price of one customer for the next month.', (stripe) => {
    const subscription = paid(stripe);
    subscription.changeItems([{ price: { ...stripe.plan.price, id: 'price_special', unit_amount: 100 }, quantity: 1 }]);
    stripe.moment('changed');
    subscription.renew();
    stripe.later(day);
    stripe.moment('a day and an hour after the paid month');
  }),
  history('several-items', 'The studio adds an item for a while.', (stripe) => {
    const subscription = paid(stripe);
    const plan = { price: stripe.plan.price, quantity: 1 };
    subscription.changeItems([plan, { price: { ...stripe.plan.price, id: 'price_extra' }, quantity: 1 }]);
    stripe.moment('added');
    stripe.later(day);
    subscription.changeItems([plan]);
    subscription.renew();
    stripe.moment('taken away and renewed');
  }),
  history('begun-with-several-items', 'A subscription to a plan and something else.', (stripe) => {
    const items = [stripe.plan.price, { ...stripe.plan.price, id: 'price_extra' }];
    stripe.subscribe({ items: items.map((price) => ({ price, quantity: 1 })) }).pay();
    stripe.moment('paid');
  }),
];

/** Collection is paused in a paid month; an hour into the next one Stripe does `settle`. */
const pausedCollection = (
  behavior: 'keep_as_draft' | 'mark_uncollectible' | 'void',
  about: string,
  settle: (subscription: ReturnType<RecordedStripe['subscribe']>) => void,
) =>
  history(`collection-paused-${behavior.replaceAll('_', '-')}`, about, (stripe) => {
    const subscription = paid(stripe);
    subscription.update({ pause_collection: { behavior, resumes_at: null } });
    stripe.moment('paused in a paid month');
    stripe.until(subscription.period.end);
    subscription.turn();
    stripe.later(hour);
    settle(subscription);
    stripe.later(hour);
    stripe.moment('the paid month is over');
    stripe.later(10 * day);
    subscription.update({ pause_collection: null });
    stripe.moment('resumed');
    subscription.renew();
    stripe.moment('charged again');
  });

const unpaid = [
  pausedCollection('keep_as_draft', 'Collection is paused; invoices stay drafts.', () => {}),
  pausedCollection('mark_uncollectible', 'Collection is paused; invoices are marked uncollectible.', (subscription) =>
    subscription.markUncollectible(),
  ),
  pausedCollection('void', 'Collection is paused; invoices are voided.', (subscription) => subscription.void()),
  history('paused-on-request', 'The studio pauses the subscription itself for two days.', (stripe) => {
    const subscription = paid(stripe);
    subscription.update({ status: 'paused' }, 'paused');
    stripe.moment('paused');
    stripe.later(2 * day);
    subscription.update({ status: 'active' }, 'resumed');
    stripe.moment('resumed');
  }),
  history('invoice-voided', 'The studio voids the invoice of a renewal.', (stripe) => {
    const subscription = stripe.subscribe();
    subscription.pay();
    stripe.until(subscription.period.end);
    subscription.turn();
    stripe.later(2 * hour);
    subscription.void();
    stripe.moment('voided');
    subscription.renew();
    stripe.moment('the next month is paid');
  }),
  history(
    'invoice-uncollectible',
    'The invoice of a renewal is marked uncollectible, and paid after all.',
    (stripe) => {
      const subscription = stripe.subscribe();
      subscription.pay();
      stripe.until(subscription.period.end);
      subscription.turn();
      stripe.later(2 * hour);
      subscription.markUncollectible();
      stripe.moment('marked');
      stripe.later(day);
      subscription.pay();
      stripe.moment('paid after all');
    },
  ),
  history('refund-in-part', 'A part of a payment is paid back.', (stripe) => {
    paid(stripe).refund(stripe.plan.price.unit_amount / 5);
    stripe.moment('paid back');
  }),
  history('refund', 'A whole payment is paid back.', (stripe) => {
    paid(stripe).refund(stripe.plan.price.unit_amount);
    stripe.moment('paid back');
  }),
  history('dispute', 'The customer disputes a payment at the bank.', (stripe) => {
    paid(stripe).dispute();
    stripe.moment('disputed');
  }),
];

const others = [
  history('other-product', 'The studio sells something else in the same Stripe account.', (stripe) => {
    const price = { ...stripe.plan.price, id: 'price_newsletter', product: 'prod_newsletter', unit_amount: 500 };
    const customer = `${stripe.session.customer}_of_another`;
    const subscription = stripe.subscribe({ price, customer, metadata: {} });
    subscription.pay();
    subscription.refund(500);
    subscription.renew();
    subscription.dispute();
    subscription.end();
    stripe.moment('all arrived');
  }),
  history('known-customer-buys-other-product', 'A customer of the studio buys something else of it.', (stripe) => {
    const price = { ...stripe.plan.price, id: 'price_newsletter', product: 'prod_newsletter', unit_amount: 500 };
    stripe.subscribe({ price, metadata: {} }).pay();
    stripe.moment('arrived');
  }),
  history('year-of-a-customer', 'Trial, 3-D Secure, twelve renewals, and all that happens in a year.', yearOfACustomer),
];

function yearOfACustomer(stripe: RecordedStripe): void {
  const subscription = stripe.subscribe({ trialDays: 14 });
  subscription.pay();
  stripe.moment('trial');
  stripe.until(subscription.period.end);
  subscription.turn();
  stripe.later(hour);
  subscription.fail();
  stripe.moment('3-D Secure: the bank wants to hear the customer');
  stripe.later(hour);
  subscription.pay();
  stripe.moment('paid');
  for (let renewal = 1; renewal <= 3; renewal += 1) subscription.renew();
  stripe.moment('third renewal');
  stripe.until(subscription.period.end);
  subscription.turn();
  stripe.later(hour);
  subscription.fail();
  stripe.moment('fourth renewal fails');
  stripe.later(3 * day);
  subscription.fail();
  stripe.later(2 * day);
  subscription.pay();
  stripe.moment('fourth renewal is paid on the third try');
  stripe.later(5 * day);
  subscription.changePlan(stripe.larger);
  subscription.pay();
  stripe.moment('upgrade');
  subscription.renew();
  subscription.renew();
  stripe.later(5 * day);
  subscription.update({ schedule: 'sub_sched_emulated' });
  stripe.moment('downgrade for the end of the period');
  subscription.renew(stripe.plan);
  subscription.update({ schedule: null });
  stripe.moment('downgraded');
  stripe.later(day);
  subscription.update({ pause_collection: { behavior: 'void', resumes_at: null } });
  stripe.moment('collection is paused');
  stripe.until(subscription.period.end);
  subscription.turn();
  stripe.later(hour);
  subscription.void();
  stripe.later(hour);
  stripe.moment('the paid month is over');
  stripe.later(20 * day);
  subscription.update({ pause_collection: null });
  subscription.renew();
  stripe.moment('charged again');
  subscription.renew();
  stripe.until(subscription.period.end);
  subscription.turn();
  stripe.later(hour);
  subscription.fail();
  stripe.moment('eleventh renewal fails');
  stripe.later(day);
  subscription.pay();
  stripe.later(5 * day);
  subscription.dispute();
  stripe.moment('a payment is disputed');
  subscription.renew();
  stripe.later(day);
  subscription.update({ cancel_at_period_end: true, cancel_at: subscription.period.end, canceled_at: stripe.now });
  stripe.moment('canceled for the end of the period');
  stripe.until(subscription.period.end);
  subscription.end();
  stripe.moment('ended');
  stripe.later(10 * day);
  stripe.subscribe({ plan: stripe.larger }).pay();
  stripe.moment('back, with the larger plan');
}

export const histories: readonly History[] = [
  ...beginnings,
  ...trials,
  ...renewals,
  ...cancellations,
  ...changes,
  ...wrongPrices,
  ...unpaid,
  ...others,
];
