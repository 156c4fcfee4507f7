import { internalActions } from '../../contract/desk/audit-actions.ts';
import type { listAccountAudit as endpoint } from '../../contract/desk/audit.ts';
import { byCreation, cutPage, readCursor } from '../db/cursor.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { type AuditRow, auditRows } from './audit-entry.ts';
import { showEntries } from './show-entries.ts';
import type { Db } from '../db/pool.ts';
import type { Signer } from '../lib/signer.ts';

export async function listAccountAudit(
  { db, signer }: { db: Db; signer: Signer },
  { caller, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { cursor, limit = 25, ...rest } = query;
  const scope = ['listAccountAudit', caller.accountId, Object.entries(rest).toSorted()];
  const from = readCursor(signer, scope, cursor);
  const filter = { ...rest, accountId: caller.accountId, without: internalActions };
  const { page, next_cursor } = cutPage(signer, scope, await auditRows(db, filter, from, limit + 1), limit, byCreation);
  return {
    status: 200,
    body: { audit_entries: (await showEntries(db, page, 'account')).map(asCustomerSees), next_cursor },
  };
}

/** The account sees what the studio did but not who did it, and only the names of its own jobs. */
function asCustomerSees(entry: Awaited<ReturnType<typeof showEntries>>[number]) {
  const named = { ...entry, subject_name: entry.subject?.startsWith('job_') ? entry.subject_name : null };
  return entry.actor === 'customer'
    ? named
    : { ...named, actor: studioOf(entry.actor), created_by: null, address: null };
}

const studioOf = (actor: AuditRow['actor']) => (actor === 'worker' ? 'operator' : actor);
