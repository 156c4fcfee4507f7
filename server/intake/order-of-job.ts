import { sql } from 'kysely';
import { readInstructions } from '../../contract/jobs/instructions.ts';
import { reusedNames, valuesOf } from '../../contract/jobs/optional-fields.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { type JobRow, jobUuid } from '../jobs/job.ts';
import type { EarlierOrder } from './draft-from-order.ts';

type OrderedJob = JobRow & {
  words: string;
  title: string | null;
  files: string[];
};

/** The draft that the job was confirmed from, or what its instructions say behind labels. */
export async function orderOfJob(
  db: Db,
  { families }: Catalog,
  accountId: string,
  id: string,
): Promise<EarlierOrder & { files: string[] }> {
  const { rows } = await sql<OrderedJob>`
    select j.*, s.draft ->> 'words' as words, s.draft ->> 'title' as title,
      coalesce((select json_agg(f.id order by f.id) from visible_files f
        where f.account_id = j.account_id and f.job_id = j.id and f.uploaded_by = 'customer'), '[]') as files
    from jobs j left join intake_sessions s on s.account_id = j.account_id and s.job_id = j.id
    where j.account_id = ${accountId} and j.id = ${jobUuid(id)}`.execute(db);
  const [job] = rows;
  if (!job) throw new Refusal('job_not_found');
  const { service_family, service_type, files, intent_brief: brief, words: ownWords, title } = job;
  const copied = { service_family, service_type, files, ...valuesOf(reusedNames, job) };
  if (brief) return { ...copied, answers: brief.answers, words: ownWords, title };
  const labels = families.get(service_family)?.intake_requirements.map(({ label }) => label) ?? [];
  const { answers, words } = readInstructions(labels, job.customer_instructions);
  return {
    ...copied,
    answers: Object.entries(answers).map(([requirement, answer]) => ({ requirement, answer })),
    words,
    title: job.customer_title,
  };
}
