import { privateActions } from '../../contract/desk/audit-actions.ts';
import type { listAudit as endpoint } from '../../contract/desk/audit.ts';
import { byCreation, cutPage, type Position, readCursor } from '../db/cursor.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { readId } from '../lib/id.ts';
import { type AuditFilter, auditRows } from './audit-entry.ts';
import { showEntries } from './show-entries.ts';
import type { Signer } from '../lib/signer.ts';

/** Events whose act has an entry of its own, with more details. */
const entered = ['account.suspended', 'account.reopened'] as const;

export async function listAudit(
  { db, signer }: { db: Db; signer: Signer },
  { query, headers }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { cursor, limit = 25, account_id, ...rest } = query;
  const ofAccount = account_id === undefined ? {} : { accountId: readId('acct', account_id) };
  const without = [...privateActions, ...entered.filter((event) => !rest.action?.includes(event))];
  const filter = { ...rest, ...ofAccount, without };
  const scope = ['listAudit', account_id, Object.entries(rest).toSorted()];
  const from = readCursor(signer, scope, cursor);
  if (headers.accept === 'application/x-ndjson')
    return { status: 200, body: { lines: everyEntry(db, filter, from) }, headers: { 'cache-control': 'no-store' } };
  const { page, next_cursor } = cutPage(signer, scope, await auditRows(db, filter, from, limit + 1), limit, byCreation);
  return { status: 200, body: { audit_entries: await showEntries(db, page, 'studio'), next_cursor } };
}

const linesAtOnce = 500;

async function* everyEntry(db: Db, filter: AuditFilter, from: Position | null) {
  for (let at = from; ;) {
    const rows = await auditRows(db, filter, at, linesAtOnce);
    yield* await showEntries(db, rows, 'studio');
    const last = rows.at(-1);
    if (!last || rows.length < linesAtOnce) return;
    at = { at: last.created_at, id: last.id };
  }
}
