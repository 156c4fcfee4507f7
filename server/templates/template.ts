import { sql } from 'kysely';
import type { Static } from 'typebox';
import { type OptionalValues, type ReusedField, reusedNames, valuesOf } from '../../contract/jobs/optional-fields.ts';
import type { Template } from '../../contract/ordering/templates.ts';
import type { Db, Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { readId, showId } from '../lib/id.ts';
import { type Created, creatorColumns, showCreator } from '../members/creator.ts';

export type TemplateRow = Created &
  Pick<OptionalValues, ReusedField> & {
    account_id: string;
    id: string;
    name: string;
    service_family: string;
    service_type: string | null;
    answers: { requirement: string; answer: string }[];
    words: string;
    created_at: Date;
    updated_at: Date;
    files: string[];
  };

/** With its files in order. For statements that select from `templates t`. */
export const templateColumns = (accountId: string) => sql`t.*, ${creatorColumns('t')},
  coalesce((select json_agg(f.id order by f.template_position) from files f
    where f.account_id = ${accountId} and f.template_id = t.id), '[]') as files`;

export const showTemplate = (row: TemplateRow): Static<typeof Template> => ({
  id: showId('tpl', row.id),
  name: row.name,
  service_family: row.service_family,
  service_type: row.service_type,
  answers: row.answers.map(({ requirement, answer }) => ({ requirement, answer })),
  file_ids: row.files.map((id) => showId('file', id)),
  words: row.words,
  ...valuesOf(reusedNames, row),
  created_by: showCreator(row),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export async function ownedTemplate(db: Db | Trx, accountId: string, id: string): Promise<TemplateRow> {
  const uuid = readId('tpl', id);
  const { rows } = await sql<TemplateRow>`
    select ${templateColumns(accountId)} from templates t where t.account_id = ${accountId} and t.id = ${uuid}`.execute(
    db,
  );
  if (!rows[0]) throw new Refusal('template_not_found');
  return rows[0];
}
