import { sql } from 'kysely';
import type { replaceTemplate as endpoint } from '../../contract/ordering/templates.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { type Db, lockAccount, transact } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { checkTemplate, columnsOf, refuseTakenName } from './check-template.ts';
import { ownedTemplate, showTemplate } from './template.ts';
import { setTemplateFiles } from './template-file.ts';

export async function replaceTemplate(
  { db, catalog }: { db: Db; catalog: Catalog },
  { caller: { accountId }, params, body, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    await lockAccount(trx, accountId);
    const before = await ownedTemplate(trx, accountId, params.id);
    checkTemplate(catalog, body, before);
    await refuseTakenName(trx, accountId, body.name, before.id);
    await trx
      .updateTable('templates')
      .where('account_id', '=', accountId)
      .where('id', '=', before.id)
      .set({ ...columnsOf(body), updated_at: sql`now()` })
      .execute();
    await setTemplateFiles(trx, accountId, before.id, body.file_ids ?? []);
    await appendAudit(trx, cause, { action: 'template.updated', subject: params.id, accountId });
    return { status: 200, body: { template: showTemplate(await ownedTemplate(trx, accountId, params.id)) } };
  });
}
