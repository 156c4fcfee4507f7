import { sql } from 'kysely';
import type { deleteTemplate as endpoint } from '../../contract/ordering/templates.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, lockAccount, transact } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { ownedTemplate, showTemplate } from './template.ts';
import { setTemplateFiles } from './template-file.ts';

export async function deleteTemplate(
  { db }: { db: Db },
  { caller: { accountId }, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    await lockAccount(trx, accountId);
    const template = await ownedTemplate(trx, accountId, params.id);
    await setTemplateFiles(trx, accountId, template.id, []);
    await sql`delete from templates where account_id = ${accountId} and id = ${template.id}`.execute(trx);
    await appendAudit(trx, cause, { action: 'template.deleted', subject: params.id, accountId });
    return { status: 200, body: { template: showTemplate(template) } };
  });
}
