-- What signed events say was paid and paid back: invoices, refunds by charge, disputes. Figures only: nothing grants
-- by them. Written in the transaction of the event; of several events about one of them the largest amount counts, of
-- equal ones the oldest event, so that the order of arrival does not matter.
create table provider_payments (
  kind text not null check (kind in ('invoice', 'refund', 'dispute')),
  -- That of the provider: of the invoice, of the charge that was refunded, of the dispute.
  id text not null,
  -- Null only for a dispute of which no payment is known.
  account_id uuid references accounts (id),
  customer text,
  subscription text,
  charge text,
  payment_intent text,
  -- By the price of the recurring line; null for money that is of no plan.
  plan_code text,
  -- What the recurring line pays for; null for an invoice without one.
  period_start timestamptz(3),
  period_end timestamptz(3),
  -- In the smallest unit of the currency.
  amount bigint not null check (amount >= 0),
  currency text not null,
  livemode boolean not null,
  -- When it was paid, refunded or disputed.
  happened_at timestamptz(3) not null,
  event_id text not null references provider_events (id),
  event_created_at timestamptz(3) not null,
  primary key (kind, id),
  check (account_id is not null or kind = 'dispute'),
  check ((period_start is null) = (period_end is null))
);
create index provider_payments_by_time on provider_payments (happened_at desc, id desc)
  include (kind, livemode, plan_code, currency, amount, period_start);
create index provider_payments_of_account on provider_payments (account_id, happened_at desc, id desc);
create index provider_payments_of_charge on provider_payments (charge) where charge is not null;
create index provider_payments_of_intent on provider_payments (payment_intent) where payment_intent is not null;
create index provider_payments_returned on provider_payments (happened_at desc, id desc) where kind <> 'invoice';

-- Refunds that arrived before the invoice that says whose they are.
create index provider_events_of_refunded_charge on provider_events ((payload #>> '{data,object,id}'))
  where type = 'charge.refunded';
create index provider_events_of_refunded_intent on provider_events ((payload #>> '{data,object,payment_intent}'))
  where type = 'charge.refunded';
