import { type RawBuilder, sql } from 'kysely';
import type { listReportRows as endpoint } from '../../../contract/desk/reports.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { cutPage, type Position, readCursor } from '../../db/cursor.ts';
import type { Db } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { showId } from '../../lib/id.ts';
import type { Signer } from '../../lib/signer.ts';
import { type Period, readPeriod } from './period.ts';
import { measures, type Measures, notedOn } from './report.ts';

type Label = { key: string; name: string };
type Row = Label & Measures;
type Dimension = NonNullable<Request<typeof endpoint>['query']['per']>;

/** Most jobs first: the cursor has the number of jobs where those of other lists have a time. */
export async function listReportRows(
  { db, catalog, signer }: { db: Db; catalog: Catalog; signer: Signer },
  { query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { per = 'option', cursor, limit = 25 } = query;
  const scope = ['listReportRows', per, query.period_start, query.period_end];
  const from = readCursor(signer, scope, cursor);
  const rows = await measureEach(db, per, await readPeriod(db, query), from, limit + 1);
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, ({ jobs, key }) => ({
    at: new Date(jobs),
    id: key,
  }));
  const report_rows = page.map(({ key, name, ...sums }) => ({ ...labelOf(catalog, per, { key, name }), ...sums }));
  return { status: 200, body: { report_rows, next_cursor } };
}

const dimensions: Record<
  Dimension,
  { key: RawBuilder<unknown>; type: RawBuilder<unknown>; name: RawBuilder<unknown> }
> = {
  option: { key: sql`o.service_family || '.' || o.service_type`, type: sql`text`, name: sql`e.key` },
  customer: {
    key: sql`o.account_id`,
    type: sql`uuid`,
    name: sql`(select a.name from accounts a where a.id = e.key)`,
  },
  operator: {
    key: sql`o.operator_id`,
    type: sql`uuid`,
    name: sql`(select u.name from people u where u.id = e.key)`,
  },
  worker: {
    key: sql`o.worker_key_id`,
    type: sql`uuid`,
    name: sql`(select k.name from worker_keys k where k.id = e.key)`,
  },
};

async function measureEach(db: Db, per: Dimension, period: Period, from: Position | null, limit: number) {
  const { start, end } = period;
  const { key, type, name } = dimensions[per];
  const notedKey = per === 'operator' ? sql`t.user_id` : key;
  const after = from === null ? sql`true` : sql`(count(*), ${key}) < (${from.at.getTime()}::int, ${from.id}::${type})`;
  const { rows } = await sql<Row>`
    with noted as (
      select ${notedKey} as key, sum(t.minutes)::int as minutes from ${notedOn(period)} group by 1)
    select e.*, coalesce(noted.minutes, 0) as noted_minutes, coalesce(${name}, '') as name from (
      select ${key} as key, ${measures} from job_outcomes o
      where o.ended_at >= ${start} and o.ended_at < ${end} and o.imported_at is null and ${key} is not null
      group by ${key} having ${after}
      order by count(*) desc, ${key} desc limit ${limit}) e
    left join noted on noted.key = e.key
    order by e.jobs desc, e.key desc`.execute(db);
  return rows;
}

const prefixes = { customer: 'acct', operator: 'user', worker: 'wkey' } as const;

/** An option that the catalog no longer knows is named by its ids. */
function labelOf({ everyFamily }: Catalog, per: Dimension, { key, name }: Label): Label {
  if (per !== 'option') return { key: showId(prefixes[per], key), name };
  const [family = '', type = ''] = key.split('.');
  const option = everyFamily.get(family)?.options.find(({ id }) => id === type);
  return { key, name: option?.name ?? key };
}
