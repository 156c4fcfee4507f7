import { sql } from 'kysely';
import { changeableColumns, rightsToChange, unchangedTables } from '../check/rights-check.ts';
import { readMigrationFiles } from '../db/migration-files.ts';
import type { Db } from '../db/pool.ts';
import { fail, type Finding, ok } from './run-checks.ts';

/** Made before the migrations run. */
const history = ['kysely_migration', 'migration_checksums'];

/** The tables and views of the service. */
async function ownNames(): Promise<string[]> {
  const texts = (await readMigrationFiles()).map(({ text }) => text).join('\n');
  const made = texts.matchAll(/^create (?:unlogged )?(?:table|view) (\w+)/gm);
  return [...history, ...[...made].map(([, name = '']) => name)];
}

/** As a psql without our search_path needs it. */
const tableName = sql`case when n.nspname = 'public' then quote_ident(c.relname)
  else quote_ident(n.nspname) || '.' || quote_ident(c.relname) end`;

type Lacking = { role: string; rights: string; tables: string };

/** Without a right on a table, each request that needs it is answered 500. */
export async function checkRights(db: Db, schema: string): Promise<Finding[]> {
  const columns = JSON.stringify(changeableColumns);
  const { rows } = await sql<Lacking>`
    with own as (
      select c.oid, c.relkind = 'v' as is_view, ${tableName} as name, c.relname = any (${unchangedTables}) as unchanged,
        ${columns}::json ->> c.relname as column_name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v') and n.nspname = ${schema} and c.relname = any (${await ownNames()})
    ),
    lacking as (
      select o.name, r.privilege, r.place from own o
      cross join (values ('select', 1), ('insert', 2), ('update', 3), ('delete', 4)) r (privilege, place)
      where (r.privilege = 'select' or not o.is_view and (r.privilege = 'insert' or not o.unchanged))
        and not has_table_privilege(o.oid, r.privilege)
      union all
      select o.name, 'update (' || o.column_name || ')', 3 from own o
      where o.unchanged and not coalesce(has_column_privilege(o.oid, o.column_name, 'update'), true)
    ),
    tables as (select name, string_agg(privilege, ', ' order by place) as rights from lacking group by name)
    select quote_ident(current_user) as role, rights, string_agg(name, ', ' order by name) as tables
    from tables group by rights order by rights`.execute(db);
  if (rows.length === 0) return [ok('The role has its rights on all tables of the service.')];
  return rows.map(({ role, rights, tables }) =>
    fail(
      `The role ${role} lacks ${rights} on ${tables}.`,
      `Run as the owner of the table or a superuser: grant ${rights} on ${tables} to ${role};`,
    ),
  );
}

type Changeable = { name: string; column_name: string | null; grantee: string; role: string; rights: string };

/** Revoking the right to update a table takes that of its columns, too. */
export async function checkUnchangedRows(db: Db): Promise<Finding[]> {
  const { rows } = await sql<Changeable>`
    select ${tableName} as name, ${JSON.stringify(changeableColumns)}::json ->> c.relname as column_name,
      coalesce(quote_ident(g.rolname), 'public') as grantee, quote_ident(current_user) as role,
      string_agg(distinct r.privilege, ', ') as rights
    from (${rightsToChange}) r join pg_class c on c.oid = r.oid join pg_namespace n on n.oid = c.relnamespace
    left join pg_roles g on g.oid = r.grantee
    group by c.relname, n.nspname, g.rolname order by c.relname, g.rolname`.execute(db);
  if (rows.length === 0) return [ok('Nobody may change the rows of the ledger, the audit log and the catalog.')];
  return rows.map(({ name, column_name, grantee, role, rights }) => {
    const revoke = `revoke ${rights} on ${name} from ${grantee};`;
    const isTaken = rights.includes('update') && grantee === role;
    const grant = column_name && isTaken ? ` grant update (${column_name}) on ${name} to ${role};` : '';
    return fail(
      `Rows of ${name} can be changed: ${grantee} may ${rights}.`,
      `Run as the owner of the table or a superuser: ${revoke}${grant}`,
    );
  });
}
