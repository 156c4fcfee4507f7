import { sql } from 'kysely';
import type { Check } from './contradiction.ts';

/** Migrations revoke the rights to change their rows, also from the role that owns them. */
export const unchangedTables = ['usage_ledger', 'quota_adjustments', 'audit_log', 'catalog_files', 'catalog_versions'];

export const rightsCheck: Check = {
  rule: 'Nobody may change the rows of the ledger, of the audit log and of versions of the catalog.',
  meaning:
    'A restore left out the rights. Until they are revoked again, only the code of the service keeps these rows: see "Rows that are never changed" in docs/operations.md.',
  subject: null,
  contradictions: sql`
    select null::uuid as account_id, c.relname as subject,
      'allows ' || string_agg(distinct lower(a.privilege_type), ', ') as fault
    from pg_class c cross join lateral aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a
    where c.oid = any (${unchangedTables}::regclass[]) and a.privilege_type in ('UPDATE', 'DELETE', 'TRUNCATE')
    group by c.relname`,
};
