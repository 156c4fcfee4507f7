import type { Static } from 'typebox';
import type { orderForAccount as endpoint } from '../../../contract/desk/account-orders.ts';
import type { DeskJob } from '../../../contract/desk/job.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { withIdempotencyKey } from '../../db/idempotency.ts';
import { type Db, isClosed, lockCounters, type Trx } from '../../db/pool.ts';
import { Refusal } from '../../http/refusal.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { refusalFor } from '../../jobs/admission.ts';
import { admitInTransaction } from '../../jobs/admission-queue.ts';
import { candidateOf } from '../../jobs/candidate.ts';
import { checkDraft, needOf } from '../../jobs/draft.ts';
import { showId } from '../../lib/id.ts';
import { takesStudioOrders } from '../../members/read-studio-orders.ts';
import { notify } from '../../notifications/notify.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';
import { findDeskRow, jobKeyOf, showDeskJob } from './desk-job.ts';
import { deskAccountUuid, unknownAccount } from '../accounts/desk-account.ts';

type Dependencies = { db: Db; catalog: Catalog; graceHours: number };
type Created = { status: 201; body: { job: Static<typeof DeskJob> | { id: string } } };

/** By the usual admission. The key remembers the job, and a repeat answers it as it is. */
export async function orderForAccount(
  { db, catalog, graceHours }: Dependencies,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const accountId = deskAccountUuid(params.id);
  const answer = await withIdempotencyKey<Created>(db, request, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    await refuseUnlessAllowed(trx, accountId);
    const draft = checkDraft(catalog, body);
    const candidate = candidateOf({ accountId }, cause, draft, 'dashboard');
    const terms = { graceHours, hours: catalog.businessHours };
    const { outcome } = await admitInTransaction(trx, 'human', terms, candidate);
    if (outcome === 'replayed' || outcome === 'idempotency_key_conflict') throw new Error('The draft has no key.');
    if (outcome !== 'admitted') throw await refusalFor(trx, accountId, graceHours, outcome, needOf(draft, 'human'));
    await tellManagers(trx, { accountId, jobId: candidate.job_id, about: draft.title, byUser: caller.userId });
    const row = await findDeskRow(trx, { account_id: accountId, id: candidate.job_id }, graceHours);
    const repeat = { job: { id: showId('job', candidate.job_id) } };
    return { status: 201, body: { job: showDeskJob(row, caller) }, repeat, accountId };
  });
  const { job } = answer.body;
  if ('status' in job) return { ...answer, body: { job } };
  const row = await findDeskRow(db, await jobKeyOf(db, job.id), graceHours);
  return { ...answer, body: { job: showDeskJob(row, caller) } };
}

/** The counters stay locked until the commit, and whoever changes what is read here locks them first. */
async function refuseUnlessAllowed(trx: Trx, accountId: string): Promise<void> {
  const locked = await lockCounters(trx, accountId);
  if (locked.length === 0 || (await isClosed(trx, accountId))) throw unknownAccount();
  const account = trx.selectFrom('accounts').select('suspended_since').where('id', '=', accountId);
  const { suspended_since: suspended } = await account.executeTakeFirstOrThrow();
  if (suspended !== null)
    throw new Refusal('account_suspended', { action: 'An owner of the studio can reopen the account.' });
  if (!(await takesStudioOrders(trx, accountId))) throw new Refusal('studio_orders_off');
}

async function tellManagers(
  trx: Trx,
  news: { accountId: string; jobId: string; about: string; byUser: string },
): Promise<void> {
  const members = trx.selectFrom('members').select('user_id').where('account_id', '=', news.accountId);
  const managers = await members.where('role', 'in', ['owner', 'admin']).execute();
  const userIds = managers.map(({ user_id }) => user_id);
  await notify(trx, userIds, { kind: 'ordered_for_you', cause: news.jobId, ...news });
}
