import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../server/db/pool.ts';
import { newPosterKey } from '../../server/files/poster-url.ts';

/** In every text that these rows hold. */
export const marker = 'zyzzyva';

type Value = string | null;
type Column = { table: string; name: string; type: string; nullable: boolean; unique: boolean };
type Check = { table: string; name: string; columns: string[]; expression: string };
type Reference = { table: string; columns: string[]; parent: string; parent_columns: string[] };
type Schema = { columns: Column[]; checks: Check[]; references: Reference[] };
type Row = Record<string, Value>;

/** Whose rows are written. */
type Owner = { accountId: string; userId: string };

const word = () => randomBytes(4).toString('hex');
const past = '2020-01-01 00:00:00+00';
const future = '2999-01-01 00:00:00+00';

/**
 * What a column is filled with, by table and name, by name or by type: the first that its CHECKs allow. A
 * column without such a filler fails the test by its name.
 */
const fillers: Record<string, () => string[]> = {
  'api_keys.scopes': () => ['{api:read}'],
  'entitlement_periods.used': () => ['1000'],
  'jobs.last_seq': () => ['1000'],
  'mail_tokens.expires_at': () => [past],
  'usage_ledger.quantity': () => ['1'],
  'mails.kind': () => ['job_ready'],
  object_key: () => [newPosterKey()],
  poster_key: () => [newPosterKey()],
  viewing_key: () => [newPosterKey()],
  prefix: () => [word()],
  text: () => [`${marker}-${word()}`],
  uuid: () => [randomUUID()],
  json: () => [`{"${marker}": "${marker}"}`],
  jsonb: () => [`{"${marker}": "${marker}"}`, `[{"label": "${marker}", "text": "${marker}"}]`],
  'text[]': () => [`{${marker}}`],
  'uuid[]': () => [`{${randomUUID()}}`],
  bytea: () => [`\\x${randomBytes(32).toString('hex')}`],
  tsvector: () => [marker],
  date: () => ['2020-01-01'],
};
const numbers = ['smallint', 'integer', 'bigint', 'real', 'double precision'];
const isTime = (type: string) => type.startsWith('timestamp');
const isLater = /(?:expires|due)_at$|_(?:until|end)$/;

function candidates({ table, name, type, unique }: Column, n: number): string[] {
  const filler = fillers[`${table}.${name}`] ?? fillers[name] ?? fillers[type];
  if (filler) return filler();
  if (isTime(type)) return [name === 'period_end' || (isLater.test(name) && n % 2 === 1) ? future : past];
  if (numbers.includes(type)) return unique ? [String(n + 1)] : ['1', '60'];
  throw new Error(`${table}.${name}: there is no filler for ${type}`);
}

async function readSchema(db: Db): Promise<Schema> {
  const ours = sql`c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'`;
  const names = (numbers: string, table: string) =>
    sql`array(select a.attname::text from unnest(${sql.raw(numbers)}) with ordinality k (number, place)
      join pg_attribute a on a.attrelid = ${sql.raw(table)} and a.attnum = k.number order by k.place)`;
  const columns = await sql<Column>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as nullable,
      exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any(i.indkey)) as unique
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where ${ours} and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
    order by c.relname, a.attnum`.execute(db);
  const checks = await sql<Check>`
    select c.relname as table, k.conname as name, ${names('k.conkey', 'c.oid')} as columns,
      pg_get_expr(k.conbin, k.conrelid) as expression
    from pg_constraint k join pg_class c on c.oid = k.conrelid where ${ours} and k.contype = 'c'`.execute(db);
  const references = await sql<Reference>`
    select c.relname as table, p.relname as parent, ${names('k.conkey', 'c.oid')} as columns,
      ${names('k.confkey', 'p.oid')} as parent_columns
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
    where ${ours} and k.contype = 'f' and c.oid <> p.oid`.execute(db);
  return { columns: columns.rows, checks: checks.rows, references: references.rows };
}

const isAccount = ({ table, name }: Column, { references }: Schema) =>
  (name === 'account_id' && table !== 'credentials') ||
  references.some((r) => r.table === table && r.parent === 'accounts' && r.columns[0] === name);
const isPerson = ({ table, name, type }: Column, { references }: Schema) =>
  (type === 'uuid' && /(?:^|_)user(?:_id)?$/.test(name)) ||
  name === 'caller_id' ||
  references.some((r) => r.table === table && r.parent === 'people' && r.columns[0] === name);

/** Tables with rows of an account or a person, after those that they refer to. */
function ownedTables(schema: Schema, but: readonly string[]): string[] {
  const owned = schema.columns.filter((column) => isAccount(column, schema) || isPerson(column, schema));
  const waiting = new Set(owned.map(({ table }) => table).filter((table) => !but.includes(table)));
  const ordered: string[] = [];
  while (waiting.size > 0) {
    const next = [...waiting].find((table) =>
      schema.references.every(({ table: child, parent }) => child !== table || !waiting.has(parent)),
    );
    if (next === undefined) throw new Error(`these tables refer to each other: ${[...waiting].join(', ')}`);
    waiting.delete(next);
    ordered.push(next);
  }
  return ordered;
}

const literal = (value: Value) => (value === null ? 'null' : `'${value.replaceAll("'", "''")}'`);

/** A column with all values that a CHECK lists, or else the place of the first filler that is allowed. */
type Filled = Column & { values: string[]; filler: number | null };

async function fill(db: Db, column: Column, checks: readonly Check[]): Promise<Filled> {
  const own = checks.filter(({ columns }) => columns.length === 1 && columns[0] === column.name);
  const listed = own.flatMap(({ expression }) =>
    /= ANY \(.*ARRAY\[/.test(expression) ? [...expression.matchAll(/'([^']*)'::text/g)].map(([, value]) => value!) : [],
  );
  if (column.type === 'boolean') listed.push('false', 'true');
  const tried = listed.length > 0 ? listed : candidates(column, 0);
  const values = tried.map((value, place) => `(${place}, ${literal(value)}::${column.type})`).join();
  const { rows } = await sql<{ place: number; value: string }>`
    select place, "${sql.raw(column.name)}"::text as value from (values ${sql.raw(values)}) v (place, "${sql.raw(column.name)}")
    where ${sql.raw(own.map(holds).join(' and ') || 'true')} order by place`.execute(db);
  const [first] = rows;
  if (!first) throw new Error(`${column.table}.${column.name}: its CHECKs allow none of its fillers`);
  if (listed.length === 0) return { ...column, values: [first.value], filler: first.place };
  return { ...column, values: rows.map(({ value }) => value), filler: null };
}

const holds = ({ expression }: Check) => `(${expression}) is not false`;

/** Columns in groups: those of a group are joined by CHECKs. */
function groupsOf(columns: readonly Filled[], checks: readonly Check[]): Filled[][] {
  let groups = columns.map((column) => [column]);
  for (const { columns: names } of checks) {
    const joined = groups.filter((group) => group.some(({ name }) => names.includes(name)));
    groups = [...groups.filter((group) => !joined.includes(group)), joined.flat()];
  }
  return groups.filter((group) => group.length > 0);
}

/**
 * Rows of the columns of a group, as its CHECKs allow them. Postgres says so while they are joined column by
 * column. Each status, or other value that a CHECK lists, is there with each value of each other column.
 */
async function rowsOf(db: Db, group: readonly Filled[], checks: readonly Check[]): Promise<Row[]> {
  const waiting = new Set(group);
  const placed: string[] = [];
  const steps: string[] = [];
  const open = ({ columns }: Check) => columns.filter((name) => !placed.includes(name)).length;
  while (waiting.size > 0) {
    const unmet = checks.filter((check) => open(check) > 0).toSorted((a, b) => open(a) - open(b));
    const next = [...waiting].find(({ name }) => unmet[0]?.columns.includes(name)) ?? [...waiting][0]!;
    waiting.delete(next);
    placed.push(next.name);
    const list = states(next).map((value) => `(${literal(value)}::${next.type})`);
    const before = steps.length === 0 ? '' : `s${steps.length - 1} cross join `;
    steps.push(`s${steps.length} as materialized (select * from ${before}(values ${list.join()}) v ("${next.name}")
      where ${
        unmet
          .filter((check) => open(check) === 0)
          .map(holds)
          .join(' and ') || 'true'
      })`);
  }
  const shown = placed.map((name) => `"${name}"::text`).join();
  const all = `with ${steps.join()} select ${shown} from s${steps.length - 1}`;
  return withEachPair((await sql<Row>`${sql.raw(all)}`.execute(db)).rows, group);
}

const states = ({ nullable, values }: Filled): Value[] => [...(nullable ? [null] : []), ...values];

/** Keeps the rows that have a pair of values which no row before them has. */
function withEachPair(rows: readonly Row[], group: readonly Filled[]): Row[] {
  const statuses = group.filter(({ filler }) => filler === null);
  const seen = new Set<string>();
  return rows.filter((row) => {
    const before = seen.size;
    for (const { name: status } of statuses.length > 0 ? statuses : group)
      for (const { name } of group) seen.add(`${status} ${row[status]} ${name} ${row[name]}`);
    return seen.size > before;
  });
}

type Plan = { table: string; columns: Filled[]; rows: Row[]; references: Reference[] };

/** The rows of a table: each column is null once and filled once, and has each value that a CHECK lists. */
async function planRows(db: Db, schema: Schema, table: string): Promise<Plan> {
  const checks = schema.checks.filter((check) => check.table === table);
  const columns: Filled[] = [];
  for (const column of schema.columns) if (column.table === table) columns.push(await fill(db, column, checks));
  const groups: Row[][] = [];
  for (const group of groupsOf(columns, checks)) {
    const rows = await rowsOf(
      db,
      group,
      checks.filter((check) => group.some(({ name }) => check.columns.includes(name))),
    );
    for (const column of group)
      for (const value of states(column))
        if (!rows.some((row) => row[column.name] === value))
          throw new Error(`${table}.${column.name}: the CHECKs of the table allow it nowhere to be ${value}`);
    groups.push(rows);
  }
  const most = Math.max(...groups.map((rows) => rows.length));
  // Twice, so that each row of the longest group is with two rows of the others.
  const turn = (second: number) => (_: unknown, n: number) =>
    Object.assign({}, ...groups.map((rows) => rows[(n + (rows.length < most ? second : 0)) % rows.length])) as Row;
  const rows = [0, 1].flatMap((second) => Array.from({ length: most }, turn(second)));
  return { table, columns, rows, references: schema.references.filter((reference) => reference.table === table) };
}

/** The rows of each owner by table. */
type Written = Map<string, Row[][]>;

/** A subscription grants once. */
const atLeast: Record<string, number> = { subscriptions: 24 };

/**
 * Writes rows into every table of accounts and people, in turn for each owner. Those of `accounts` replace
 * the owner's. An error names table, column or CHECK.
 */
export async function writeRows(db: Db, owners: readonly Owner[], but: readonly string[]): Promise<void> {
  const schema = await readSchema(db);
  const written: Written = new Map();
  for (const table of ownedTables(schema, but)) {
    const plan = await planRows(db, schema, table);
    const most = Math.max(plan.rows.length, owners.length, atLeast[table] ?? 0);
    const rows: Row[][] = owners.map(() => []);
    for (let n = 0; n < most; n++) {
      const place = n % owners.length;
      const row = ownRow(schema, plan, n, owners[place]!);
      refer(row, plan, place, rows[place]!, written);
      rows[place]!.push(row);
    }
    written.set(table, rows);
    await insert(db, plan, rows.flat());
  }
}

function ownRow(schema: Schema, { table, columns, rows }: Plan, n: number, { accountId, userId }: Owner): Row {
  const row = rows[n % rows.length]!;
  const valueOf = (column: Filled): Value => {
    const value = row[column.name] ?? null;
    if (value === null) return null;
    if (isAccount(column, schema) || (table === 'accounts' && column.name === 'id')) return accountId;
    if (isPerson(column, schema)) return userId;
    return column.filler === null ? value : candidates(column, n)[column.filler]!;
  };
  return Object.fromEntries(columns.map((column) => [column.name, valueOf(column)]));
}

/** To a parent of the same owner, of the same status if there is one, that no row refers to yet. */
function refer(row: Row, { references }: Plan, place: number, before: readonly Row[], written: Written): void {
  for (const { parent, columns, parent_columns } of references) {
    const all = written.get(parent)?.[place] ?? [];
    const alike = all.filter(({ status }) => status === row.status);
    const parents = alike.length > 0 ? alike : all;
    const refersTo = (other: Row) => (child: Row) =>
      columns.every((name, at) => child[name] === other[parent_columns[at]!]);
    const next = parents.find((other) => !before.some(refersTo(other))) ?? parents[before.length % parents.length];
    if (next)
      for (const [at, name] of columns.entries()) if (row[name] !== null) row[name] = next[parent_columns[at]!] ?? null;
  }
}

async function insert(db: Db, { table, columns }: Plan, rows: readonly Row[]): Promise<void> {
  const list = (show: (column: Column) => string) => sql.raw(columns.map(show).join());
  const replaced = list(({ name }) => `"${name}" = excluded."${name}"`);
  await sql`
    insert into ${sql.table(table)} (${list(({ name }) => `"${name}"`)})
    select ${list(({ name, type }) => `r."${name}"::${type}`)}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (${list(({ name }) => `"${name}" text`)})
    ${table === 'accounts' ? sql`on conflict (id) do update set ${replaced}` : sql``}`.execute(db);
}
