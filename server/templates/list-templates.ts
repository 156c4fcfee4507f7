import { sql } from 'kysely';
import type { listTemplates as endpoint } from '../../contract/ordering/templates.ts';
import { byCreation, cutPage, readCursor } from '../db/cursor.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { showTemplate, templateColumns, type TemplateRow } from './template.ts';

export async function listTemplates(
  { db, signer }: { db: Db; signer: Signer },
  { caller: { accountId }, query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listTemplates', accountId];
  const from = readCursor(signer, scope, cursor);
  const { rows } = await sql<TemplateRow>`
    select ${templateColumns(accountId)} from templates t
    where t.account_id = ${accountId} ${from === null ? sql`` : sql`and (t.created_at, t.id) < (${from.at}, ${from.id})`}
    order by t.created_at desc, t.id desc limit ${limit + 1}`.execute(db);
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  return { status: 200, body: { templates: page.map(showTemplate), next_cursor } };
}
