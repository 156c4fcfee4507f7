import { appendAudit } from '../audit/append-audit.ts';
import { Unusable } from '../backup/unusable.ts';
import { accountUse } from '../closing/account-use.ts';
import { eraseAccount } from '../closing/erase-account.ts';
import { type Db, isClosed, lockCounters, transact, type Trx } from '../db/pool.ts';
import type { RemoveFilesOf } from '../files/remove-files-of.ts';
import { byService } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import { accountOf } from './compare-import.ts';

type Dependencies = { db: Db; removeFilesOf: RemoveFilesOf; graceHours: number };

/** Closes an imported account that nobody has joined, as its owner would. Returns its id. */
export async function eraseCustomer(
  { db, removeFilesOf, graceHours }: Dependencies,
  externalId: string,
): Promise<string> {
  const accountId = await accountOf(db, externalId);
  if (accountId === null)
    throw new Unusable(`No import had a customer "${externalId}".`, 'Name an external_id of customers.csv.');
  await transact(db, async (trx) => {
    await lockCounters(trx, accountId);
    await refuseUnlessDeserted(trx, accountId, graceHours);
    await eraseAccount(trx, accountId);
    await appendAudit(trx, byService(), { action: 'account.closed', subject: showId('acct', accountId), accountId });
  });
  await removeFilesOf([accountId]);
  return showId('acct', accountId);
}

async function refuseUnlessDeserted(trx: Trx, accountId: string, graceHours: number): Promise<void> {
  const members = await trx.selectFrom('members').select('id').where('account_id', '=', accountId).execute();
  if (members.length > 0)
    throw new Unusable('The customer has members.', 'An owner of the account closes it in its settings.');
  if (await isClosed(trx, accountId)) throw new Unusable('The account is closed and erased.', 'Nothing is left to do.');
  const { open_jobs, reviews, plans } = await accountUse(trx, accountId, graceHours);
  if (open_jobs + reviews.length + plans.length > 0)
    throw new Unusable('The account has open jobs or a plan.', 'End them first.');
}
