import { sql } from 'kysely';
import type { Check } from './contradiction.ts';

/** Migrations revoke the rights to change their rows, also from the role that owns them. */
export const unchangedTables = ['usage_ledger', 'quota_adjustments', 'audit_log', 'catalog_files', 'catalog_versions'];
/** Their only columns that may change. */
export const changeableColumns: Record<string, string> = { usage_ledger: 'reverses', quota_adjustments: 'reason' };

/** Who may change or delete their rows, and how. */
export const rightsToChange = sql`
  select c.oid, c.relname, a.grantee, lower(a.privilege_type) as privilege
  from pg_class c cross join lateral aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a
  where c.oid = any (${unchangedTables}::regclass[]) and a.privilege_type in ('UPDATE', 'DELETE', 'TRUNCATE')`;

export const rightsCheck: Check = {
  rule: 'Nobody may change the rows of the ledger, of the audit log and of versions of the catalog.',
  meaning:
    'A restore left out the rights. Until they are revoked again, only the code of the service keeps these rows: see docs/operations/back-up.md#rows-that-are-never-changed',
  subject: null,
  contradictions: sql`
    select null::uuid as account_id, relname as subject, 'allows ' || string_agg(distinct privilege, ', ') as fault
    from (${rightsToChange}) r group by relname`,
};
