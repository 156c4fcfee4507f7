import { type BusinessHours, hoursAfter } from '../../contract/studio/business-time.ts';
import { findStoredAnswer } from '../db/idempotency.ts';
import { KeyedBatch } from '../db/keyed-batch.ts';
import { announce, type Db, type Trx } from '../db/pool.ts';
import type { CallerKind } from '../http/request.ts';
import type { Attempt, Decision } from './admission.ts';
import { admissionStatement } from './admission-statement.ts';
import { type Candidate, createRoute } from './candidate.ts';
import { readNow } from './clock.ts';

export type Terms = { graceHours: number; hours: BusinessHours | null };
export type Admit = (kind: CallerKind, draft: Candidate) => Promise<Decision>;

/** Concurrent drafts share a statement. A locked account waits in a statement of its own. */
export function createAdmissionQueue(
  db: Db,
  graceHours: number,
  catalog: { readonly businessHours: BusinessHours | null },
): Admit {
  const limits = { maxBatchSize: 200, maxInFlight: 3, besideFrom: 64, maxWaiting: 2, maxWaitMs: 2_500 };
  const termsNow = () => ({ graceHours, hours: catalog.businessHours });
  const createBatch = (kind: CallerKind) => {
    const skipLocked = async (drafts: readonly Candidate[]) =>
      (await attemptAdmission(db, kind, termsNow(), drafts, 'skip')).map((attempt) =>
        attempt.outcome === 'locked' ? null : attempt,
      );
    const waitForLock = (drafts: readonly Candidate[]) => attemptAdmission(db, kind, termsNow(), drafts, 'wait');
    return new KeyedBatch((draft: Candidate) => draft.account_id, { skipLocked, waitForLock }, limits);
  };
  const batches = { human: createBatch('human'), agent: createBatch('agent') };
  return (kind, draft) => admitUntilFinal(db, draft, () => batches[kind].enqueue(draft));
}

/** Admits one draft within the caller's transaction, for callers that write more than a job. */
export const admitInTransaction = (trx: Trx, kind: CallerKind, terms: Terms, draft: Candidate): Promise<Decision> =>
  admitUntilFinal(trx, draft, async () => {
    const [attempt] = await attemptAdmission(trx, kind, terms, [draft], 'wait');
    return attempt;
  });

async function attemptAdmission(
  db: Db | Trx,
  kind: CallerKind,
  { graceHours, hours }: Terms,
  drafts: readonly Candidate[],
  locking: 'wait' | 'skip',
): Promise<Attempt[]> {
  const dated = hours === null ? drafts : await inBusinessTime(db, hours, drafts);
  const { rows } = await admissionStatement(kind, graceHours, dated, locking).execute(db);
  if (rows.length !== drafts.length) throw new Error('Admission did not answer every draft.');
  for (const [n, { outcome }] of rows.entries()) if (outcome === 'admitted') announce(db, drafts[n]!.account_id);
  return rows;
}

/** Only a studio with business hours asks for the time first: the statement cannot count them. */
async function inBusinessTime(db: Db | Trx, hours: BusinessHours, drafts: readonly Candidate[]): Promise<Candidate[]> {
  const now = (await readNow(db)).getTime();
  const turnarounds = new Set(drafts.map(({ turnaround_hours }) => turnaround_hours));
  const due = new Map(Array.from(turnarounds, (some) => [some, new Date(hoursAfter(hours, now, some)).toISOString()]));
  return drafts.map((draft) => ({ ...draft, due_at: due.get(draft.turnaround_hours) ?? null }));
}

/** The refusal may come from the same Idempotency-Key, whose row a new statement can see. */
async function admitUntilFinal(
  db: Db,
  draft: Candidate,
  attemptOnce: () => Promise<Attempt | undefined>,
): Promise<Decision> {
  for (;;) {
    const attempt = await attemptOnce();
    if (attempt === undefined || attempt.outcome === 'locked') throw new Error('An account has no counters.');
    if (attempt.outcome === 'admitted' || attempt.outcome === 'replayed') return attempt;
    if (attempt.outcome !== 'outraced') return (await findEarlierDecision(db, draft)) ?? attempt;
  }
}

type KeyedRequest = Pick<Candidate, 'account_id' | 'idempotency_key' | 'fingerprint'>;
export type EarlierDecision = Extract<Decision, { outcome: 'replayed' | 'idempotency_key_conflict' }>;

/** The stored answer for an Idempotency-Key; null for a new key. */
export async function findEarlierDecision(db: Db, request: KeyedRequest): Promise<EarlierDecision | null> {
  const { account_id: accountId, idempotency_key: key, fingerprint } = request;
  const stored =
    key === null ? undefined : await findStoredAnswer(db, { owner: { accountId }, route: createRoute, key });
  if (!stored) return null;
  if (stored.fingerprint !== fingerprint) return { outcome: 'idempotency_key_conflict' };
  return { outcome: 'replayed', answer: stored.answer };
}
