import type { IntentBrief } from '../../contract/jobs/brief.ts';
import type { Draft } from '../../contract/jobs/new-job.ts';
import type { Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { Caller, Cause } from '../http/request.ts';
import type { Candidate } from './candidate.ts';
import type { CheckedDraft } from './draft.ts';

/** The order of a caller who may not create jobs. */
export type OrderToConfirm = {
  caller: Caller;
  cause: Cause;
  checked: CheckedDraft;
  source: Candidate['source'];
  /** By which the same order is known again. */
  request: { route: string; key: string | null; fingerprint: string };
  fileIds: readonly string[];
  /** The draft that it already is, locked, or what was sent. */
  from: { sessionId: string; brief: IntentBrief } | { body: Draft };
};

/** Keeps it as a draft, and returns what its maker is told. Throws what create would refuse anyway. */
export type KeepOrder = (trx: Trx, order: OrderToConfirm) => Promise<Refusal>;

/** Preflight names no page: the order is stored only when it is sent. */
export const mustBeConfirmed = () =>
  new Refusal('confirmation_required', {
    action: 'Order it: it is kept, and the answer names the page where an owner or admin confirms or declines it.',
  });
