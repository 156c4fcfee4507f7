import { sql } from 'kysely';
import type { Check } from './contradiction.ts';

const object = sql`e.payload #> '{data,object}'`;
/** Of a payload that is still stored whole. */
const amount = sql`case when jsonb_typeof(e.payload #> '{data,object}') = 'object' then
  ${object} ->> (case e.type when 'invoice.paid' then 'amount_paid' when 'charge.refunded' then 'amount_refunded' else 'amount' end)
  end`;

/**
 * The payload of an event about another product is deleted after a while. Which plan a price belonged to is
 * judged once, by the catalog of its day.
 */
const paymentsLikeTheirEvents: Check = {
  rule: 'A payment is what the signed events of the provider say of it.',
  meaning: 'The figures of the money page are wrong. Compare the payment with the events of its id at the provider.',
  subject: null,
  contradictions: sql`
    with reported as (
      select distinct on (kind, id, livemode) * from (
        select case e.type when 'invoice.paid' then 'invoice' when 'charge.refunded' then 'refund' else 'dispute' end as kind,
          ${object} ->> 'id' as id, (${amount})::numeric as amount, lower(${object} ->> 'currency') as currency,
          coalesce(case when e.type = 'invoice.paid'
            then to_timestamp((e.payload #>> '{data,object,status_transitions,paid_at}')::bigint) end, e.created_at) as happened_at,
          e.id as event_id, e.created_at, e.livemode, e.outcome, e.account_id
        from provider_events e
        where e.type in ('invoice.paid', 'charge.refunded', 'charge.dispute.created')
          and (${amount}) ~ '^[0-9]{1,15}$'
          and (e.type <> 'invoice.paid' or e.account_id is not null)
          and (e.type <> 'invoice.paid' or coalesce(e.payload #>> '{data,object,status_transitions,paid_at}', '0') ~ '^[0-9]{1,12}$')
      ) events
      order by kind, id, livemode, amount desc, created_at, event_id
    )
    select coalesce(p.account_id, s.account_id) as account_id, coalesce(p.kind, s.kind) || ' ' || coalesce(p.id, s.id) as subject,
      case
        when s.id is null then 'is recorded, but no event says so'
        when p.id is null then 'is said by ' || s.event_id || ', but not recorded'
        when p.account_id is distinct from c.account_id and c.account_id is not null then 'is of another account than its customer'
        else 'is recorded with ' || p.amount || ' ' || p.currency || ' at ' || p.happened_at || ', but ' || s.event_id
          || ' says ' || s.amount || ' ' || s.currency || ' at ' || s.happened_at
      end as fault
    from provider_payments p
    full join reported s on s.kind = p.kind and s.id = p.id and s.livemode = p.livemode
    left join provider_customers c on c.customer = p.customer
    where case
        when s.id is null then exists (
          select from provider_events v where v.id = p.event_id and v.payload #> '{data,object}' is not null)
        when p.id is null then s.outcome = 'processed' and s.account_id is not null and s.id is not null and s.currency is not null
        else (p.amount, p.currency, p.happened_at, p.event_id) is distinct from (s.amount, s.currency, s.happened_at, s.event_id)
          or p.account_id is distinct from c.account_id and c.account_id is not null
      end`,
};

export const paymentChecks = [paymentsLikeTheirEvents];
