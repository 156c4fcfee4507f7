import { sql } from 'kysely';
import { type createTemplate as endpoint, templateBounds } from '../../contract/ordering/templates.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { type Db, lockAccount, type Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { newId, showId } from '../lib/id.ts';
import { checkTemplate, columnsOf, refuseTakenName } from './check-template.ts';
import { ownedTemplate, showTemplate } from './template.ts';
import { setTemplateFiles } from './template-file.ts';

type Creation = Request<typeof endpoint>;

export async function createTemplate(
  { db, catalog }: { db: Db; catalog: Catalog },
  request: Creation,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  const { accountId } = caller;
  checkTemplate(catalog, body);
  return withIdempotencyKey(db, request, async (trx) => {
    await lockAccount(trx, accountId);
    await refuseBeyondLimit(trx, accountId);
    await refuseTakenName(trx, accountId, body.name, null);
    const id = await insertTemplate(trx, request);
    await setTemplateFiles(trx, accountId, id, body.file_ids ?? []);
    const subject = showId('tpl', id);
    await appendAudit(trx, cause, { action: 'template.created', subject, accountId });
    return { status: 201, body: { template: showTemplate(await ownedTemplate(trx, accountId, subject)) } };
  });
}

async function refuseBeyondLimit(trx: Trx, accountId: string): Promise<void> {
  const { rows } = await sql<{ templates: number }>`
    select count(*)::int as templates from templates where account_id = ${accountId}`.execute(trx);
  const count = rows[0]?.templates ?? 0;
  if (count >= templateBounds.perAccount)
    throw new Refusal('limit_reached', {
      message: `The account has ${count} templates, which is the limit.`,
      action: 'Delete one that is no longer used: DELETE /api/v1/templates/{id}.',
    });
}

async function insertTemplate(trx: Trx, { caller, body, cause }: Creation): Promise<string> {
  const id = newId();
  await trx
    .insertInto('templates')
    .values({
      account_id: caller.accountId,
      id,
      ...columnsOf(body),
      created_by_user: cause.userId,
      created_by_key: cause.apiKeyId,
    })
    .execute();
  return id;
}
