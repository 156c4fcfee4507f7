-- What the signed events say of a subscription: its state, its paid period, its end and its price. All are worked
-- out anew from its events at each event, so that the order of arrival does not matter. The version before writes
-- event_receipt and not facts_receipt: where the two differ, the facts are worked out again.
alter table entitlements
  -- The state as the provider last said it; null until the first look of this version.
  add column state text
    check (state in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'ended')),
  add column state_since timestamptz(3),
  -- Where orders end before the period does, or without the hours of grace; null: the period alone decides.
  add column serves_until timestamptz(3),
  -- When somebody has ended it for, or when it ended.
  add column ends_at timestamptz(3),
  -- The end of the last period that an invoice or a trial confirmed.
  add column paid_until timestamptz(3),
  add column collection_paused boolean not null default false,
  add column facts_receipt bigint,
  -- Whether periods whose payment the studio had paused counted when the facts were worked out.
  add column serves_uncollected boolean,
  -- How a row of the version before counts: its period as paid, or the subscription as ended.
  add column carried_as text check (carried_as in ('paid', 'ended')),
  add column carried_at timestamptz(3),
  add column carried_start timestamptz(3),
  add column carried_end timestamptz(3),
  add constraint carried_whole check ((carried_as is null) = (carried_at is null)
    and (carried_as is not distinct from 'paid') = (carried_start is not null)
    and (carried_start is null) = (carried_end is null));
alter table entitlements drop constraint entitlements_status_check,
  add constraint entitlements_status_check
    check (status in ('active', 'past_due', 'paused', 'stopped', 'canceled'));
create index entitlements_behind on entitlements (account_id, subscription)
  where facts_receipt is distinct from event_receipt or collection_paused;

-- The plan whose price the event names, verified when the event was judged.
alter table provider_events add column plan_code text;
create index provider_events_of_subscription on provider_events (subscription, created_at)
  where subscription is not null;
-- Those whose cause may need mending. The index of the version before goes with that version.
create index provider_events_to_look_at on provider_events (received_at desc, id desc)
  where outcome = 'ignored' and reason not in
    ('unsupported type', 'older than what is already applied', 'another product', 'no subscription yet');
