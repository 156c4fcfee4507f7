import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

/** As all processes recorded it. Times are of the database. */
export type Signatures = {
  now: Date;
  accepted_at: Date | null;
  first_matched_at: Date | null;
  other_mode_at: Date | null;
  refused_at: Date | null;
  refused_since: number;
  refused_first_at: Date | null;
  untimely_at: Date | null;
  untimely_seconds: number | null;
};

/** `clock`: signed with the secret, but for another time. `mode`: the secret is of the other mode. */
type RefusalCause = 'secret' | 'clock' | 'mode';

export type WebhookHealth = {
  lastGood: Date | null;
  lastBad: Date | null;
  refusedSinceGood: number;
  refusedFirstAt: Date | null;
  /** Null: none is refused. */
  cause: RefusalCause | null;
  /** How much later than this clock the last event was that was refused for its time. */
  secondsOff: number | null;
  /** Whether one was refused within a day, and none accepted since. */
  isRefusing: boolean;
  /** Whether for an hour only the second secret has matched: without it everything would be refused. */
  needsSecondSecret: boolean;
};

const hour = 3_600_000;

/** Without a row nothing was ever posted. */
export async function readSignatures(db: Db): Promise<Signatures> {
  const { rows } = await sql<Signatures>`
    select now() as now, w.accepted_at, w.first_matched_at, w.other_mode_at, w.refused_at,
      coalesce(w.refused_since, 0)::float8 as refused_since, w.refused_first_at, w.untimely_at, w.untimely_seconds
    from (values (true)) only_one (row) left join webhook_signatures w on w.only_row = only_one.row`.execute(db);
  if (!rows[0]) throw new Error('A left join returns one row.');
  return rows[0];
}

/**
 * Anybody can post what looks like a signed event, so refused posts alone say little: what counts is that
 * none was accepted since. A day after the last one they alarm no more: the provider tries again more often.
 */
export function judgeSignatures(seen: Signatures): WebhookHealth {
  const { now, accepted_at, first_matched_at, refused_at, refused_since } = seen;
  const isAfter = (at: Date | null) => at !== null && (accepted_at === null || at > accepted_at);
  const isRefused = refused_since > 0;
  const signedBefore = isAfter(seen.other_mode_at) ? 'mode' : 'secret';
  return {
    lastGood: accepted_at,
    lastBad: refused_at,
    refusedSinceGood: refused_since,
    refusedFirstAt: seen.refused_first_at,
    cause: !isRefused ? null : isAfter(seen.untimely_at) ? 'clock' : signedBefore,
    secondsOff: seen.untimely_seconds,
    isRefusing: isRefused && refused_at !== null && now.getTime() - refused_at.getTime() < 24 * hour,
    needsSecondSecret:
      accepted_at !== null && (first_matched_at === null || accepted_at.getTime() - first_matched_at.getTime() > hour),
  };
}

export const readWebhookHealth = async (db: Db): Promise<WebhookHealth> => judgeSignatures(await readSignatures(db));

export type Renewals = {
  /** Of the last 35 days: plans whose period is not their first. */
  renewals: number;
  missingInvoiceEvents: boolean;
};

/** An invoice pays each renewal: if none came with any of them, the endpoint does not send them. */
export async function readRenewals(db: Db): Promise<Renewals> {
  const { rows } = await sql<{ renewals: number; invoices: boolean }>`
    select
      (select count(*)::int from entitlement_periods p join entitlements e using (account_id)
        where e.id = p.entitlement_id and p.period_start > now() - interval '35 days' and p.period_start <= now()
          and p.period_start > e.granted_at + interval '1 day') as renewals,
      exists (select from provider_events
        where type = 'invoice.paid' and received_at > now() - interval '35 days') as invoices`.execute(db);
  const { renewals = 0, invoices = false } = rows[0] ?? {};
  return { renewals, missingInvoiceEvents: renewals > 0 && !invoices };
}
