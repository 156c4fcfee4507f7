import { sql } from 'kysely';
import type { readJobBrand as endpoint } from '../../contract/ordering/brand.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { FileRow } from '../jobs/job-file.ts';
import { ownedJobId } from '../jobs/job.ts';
import { type Fact, showJobBrand } from './brand.ts';

type Copy = { facts: Fact[] | null; files: FileRow[] };

export async function readJobBrand(
  { db }: { db: Db },
  { caller: { accountId }, params }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const job = await ownedJobId(db, accountId, params.id);
  const { rows } = await sql<Copy>`
    select (select facts from job_brands where account_id = ${accountId} and job_id = ${job}) as facts,
      coalesce((select json_agg(f order by f.brand_position) from files f
        where f.account_id = ${accountId} and f.job_id = ${job} and f.brand_position is not null), '[]') as files`.execute(
    db,
  );
  const { facts = null, files = [] } = rows[0] ?? {};
  return { status: 200, body: { brand: showJobBrand(facts, files) } };
}
