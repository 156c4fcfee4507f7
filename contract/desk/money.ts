import Type from 'typebox';
import { Plan, PlanCode } from '../ordering/catalog.ts';
import { endpoint } from '../endpoint.ts';
import { Closed, Count, Id, NextCursor, Nullable, page, Timestamp } from '../shapes.ts';
import { Standing } from './standing.ts';

export const Month = Type.String({
  pattern: '^[12][0-9]{3}-(?:0[1-9]|1[0-2])$',
  description: 'A month in UTC.',
  examples: ['2026-11'],
});
export const ProviderPage = Nullable(Type.String(), 'Its page at the provider; null in the sandbox.');

const Account = Closed(
  { id: Id('acct'), name: Type.String({ description: 'Its name.' }) },
  { description: 'Whose it is.' },
);
const Code = Nullable(PlanCode, 'Null if it is of no plan.');
const Currency = Type.String({ description: 'ISO 4217, lower case.' });
const Amount = Count('In the smallest unit of the currency.');

const Payment = Closed(
  {
    kind: Type.Enum(['invoice', 'refund', 'dispute'], {
      type: 'string',
      description: '`invoice`: a paid one. `refund`: all that was paid back of a charge.',
    }),
    id: Type.String({ description: 'At the provider.' }),
    account: Nullable(Account, 'Null for a dispute of an unknown customer.'),
    plan_code: Code,
    amount: Amount,
    currency: Currency,
    period: Nullable(
      Closed(
        { start: Timestamp('Start, inclusive.'), end: Timestamp('End, exclusive.') },
        { description: 'What is paid.' },
      ),
      'Null if it pays for no period.',
    ),
    happened_at: Timestamp('When it was paid, paid back or disputed.'),
    page: ProviderPage,
  },
  { $id: 'Payment', description: 'A payment that a signed event reported.' },
);

export const listPayments = endpoint({
  operationId: 'listPayments',
  method: 'GET',
  path: '/api/operator/v1/payments',
  tag: 'Desk',
  summary: 'List paid invoices, refunds and disputes',
  auth: 'operator',
  right: 'read_records',
  query: Closed({ month: Type.Optional(Month), ...page }),
  answers: {
    200: {
      description: 'Newest first, of the month or this one.',
      schema: Closed({ payments: Type.Array(Payment), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

const MoneyCounts = Closed(
  {
    events: Count('Events of the provider that need a look.'),
    accounts: Count('`accounts` without those that only end.'),
  },
  { $id: 'MoneyCounts', description: 'What needs attention.' },
);

export const countMoney = endpoint({
  operationId: 'countMoney',
  method: 'GET',
  path: '/api/operator/v1/money/counts',
  tag: 'Desk',
  summary: 'Count what waits on the money page',
  auth: 'operator',
  right: 'read_records',
  answers: { 200: { description: 'The counts.', schema: Closed({ counts: MoneyCounts }) } },
  errors: {},
});

const Troubled = Closed(
  {
    account: Account,
    plan_code: PlanCode,
    name: Type.String({ description: 'The name of the plan.' }),
    standing: Standing,
    open_jobs: Count('Jobs that have not ended.'),
    next_due_at: Nullable(Timestamp('When the next is due.'), 'Null if none is.'),
    page: ProviderPage,
  },
  { description: 'An account with open jobs.' },
);

export const readMoney = endpoint({
  operationId: 'readMoney',
  method: 'GET',
  path: '/api/operator/v1/money',
  tag: 'Desk',
  summary: 'Read what was paid in a month',
  description:
    'From paid invoices as signed events reported them, by currency, taxes included and refunds apart; of this month by default. No bookkeeping.',
  auth: 'operator',
  right: 'read_records',
  query: Closed({ month: Type.Optional(Month) }),
  answers: {
    200: {
      description: 'The month.',
      schema: Closed({
        money: Closed(
          {
            month: Month,
            currencies: Type.Array(
              Closed({
                currency: Currency,
                paid: Amount,
                periods: Count('Paid periods.'),
                paid_before: Count('In the whole month before.'),
              }),
              { description: 'Never summed.' },
            ),
            months: Type.Array(Closed({ month: Month, plan_code: Code, currency: Currency, paid: Amount }), {
              description: 'The twelve months up to this one, by plan.',
            }),
            plans: Type.Array(
              Closed({
                plan_code: PlanCode,
                name: Type.String({ description: 'Its name.' }),
                price: Nullable(Plan.properties.price, 'Null once it is not sold.'),
                accounts: Count('With access now.'),
                started: Count('First granted in the month.'),
                ended: Count('Ended in the month.'),
                used: Count('Jobs used in the current periods.'),
                quota: Count('Jobs of these.'),
              }),
              { description: 'Those on sale, and those that an account still has.' },
            ),
            refunds_and_disputes: Type.Array(Payment, {
              maxItems: 100,
              description: 'Refunds and disputes of the month, newest first.',
            }),
            accounts: Type.Array(Troubled, {
              maxItems: 100,
              description:
                'With open jobs, and a plan that is overdue, stopped, paused, ended or ends within 30 days. Soonest due first.',
            }),
            counts: MoneyCounts,
            events: Count('Events of the provider in the month.'),
            provider: ProviderPage,
          },
          { $id: 'Money', description: 'What was paid, and who does not pay.' },
        ),
      }),
    },
  },
  errors: { 400: ['invalid_request'] },
});
