import { listAudit } from '../../../contract/desk/audit.ts';
import { listAccounts } from '../../../contract/desk/accounts.ts';
import type { AnswerOf, Endpoint } from '../../../contract/endpoint.ts';
import { type ExportedList, exportedLists } from '../../../contract/desk/exported-lists.ts';
import type { startExport as endpoint } from '../../../contract/desk/exports.ts';
import { holdersOf, may } from '../../../contract/desk/operator-roles.ts';
import { listPayments } from '../../../contract/desk/money.ts';
import { listOperators } from '../../../contract/desk/operators.ts';
import { listProviderEvents } from '../../../contract/desk/provider-events.ts';
import { listQueue } from '../../../contract/desk/queue.ts';
import { listReportRows } from '../../../contract/desk/reports.ts';
import { listWorkerKeys } from '../../../contract/desk/workers.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { withIdempotencyKey } from '../../db/idempotency.ts';
import type { Db } from '../../db/pool.ts';
import type { Operator, Request } from '../../http/request.ts';
import { badBody, Refusal } from '../../http/refusal.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';

const lists: Record<ExportedList, Endpoint> = {
  jobs: listQueue,
  accounts: listAccounts,
  payments: listProviderEvents,
  money: listPayments,
  operators: listOperators,
  workers: listWorkerKeys,
  audit: listAudit,
  reports: listReportRows,
};

/** The service cannot tell an export from somebody who reads page by page, so the pages say it beforehand. */
export async function startExport(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  refuseUnlessAllowed(caller, body.list);
  const filters = keptFilters(lists[body.list], body.filters);
  return withIdempotencyKey(db, request, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    const details = filters === '' ? {} : { details: { filters } };
    await appendAudit(trx, cause, { action: 'list.exported', subject: body.list, accountId: null, ...details });
    return { status: 200, body: { done: true }, accountId: null };
  });
}

function refuseUnlessAllowed({ operatorRole }: Operator, list: ExportedList): void {
  const right = exportedLists[list];
  if (operatorRole && may(operatorRole, right)) return;
  throw new Refusal('role_required', { message: `To export this list needs ${holdersOf(right)} of the studio.` });
}

/** Only filters that the list has. A search may name a customer, and entries of the audit outlive people. */
function keptFilters({ query }: Endpoint, text = ''): string {
  const filters = new URLSearchParams(text);
  const ownFilters = Object.keys(query?.properties ?? {});
  for (const name of filters.keys())
    if (!ownFilters.includes(name))
      throw badBody([{ location: '/filters', message: 'names a filter that the list does not have' }]);
  if (filters.has('q')) filters.set('q', '*');
  return filters.toString();
}
