import { internalActions } from '../../contract/audit-actions.ts';
import type { listAccountAudit as endpoint } from '../../contract/audit.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { cutPage, readCursor, writeCursor } from '../db/cursor.ts';
import type { Request } from '../http/request.ts';
import { type AuditRow, auditRows, showAuditEntry } from './audit-entry.ts';
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
  const { page, next_cursor } = cutPage(await auditRows(db, filter, from, limit + 1), limit, (last) =>
    writeCursor(signer, scope, { at: last.created_at, id: last.id }),
  );
  return { status: 200, body: { audit_entries: page.map(showToCustomer), next_cursor } };
}

/** The account sees what the studio did, but not who at the studio. */
function showToCustomer(row: AuditRow) {
  const entry = showAuditEntry(row);
  return entry.actor === 'customer'
    ? entry
    : { ...entry, actor: studioOf(entry.actor), created_by: null, address: null };
}

const studioOf = (actor: AuditRow['actor']) => (actor === 'worker' ? 'operator' : actor);
