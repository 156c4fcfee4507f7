import type { openIntake as endpoint } from '../../contract/ordering/intake.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Catalog, type Family, offeredFamily } from '../catalog/catalog.ts';
import { earlierAnswer, withIdempotencyKey } from '../db/idempotency.ts';
import { type Db, lockAccount } from '../db/pool.ts';
import { mentionedFiles } from '../files/mentioned-files.ts';
import { badBody } from '../http/refusal.ts';
import { kindOf, type Request } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import type { Model } from '../model/model.ts';
import { unsafe } from '../safety/policy.ts';
import { copyFiles } from '../templates/copy-files.ts';
import { ownedTemplate } from '../templates/template.ts';
import { askModel } from './ask-model.ts';
import { type Exchange, greet, open } from './conversation.ts';
import { newDraft } from './draft.ts';
import { draftFrom, type EarlierOrder } from './draft-from-order.ts';
import { fromBrand } from './from-brand.ts';
import { orderOfJob } from './order-of-job.ts';
import { insertSession, refuseTooMany, saveExchange, showSession } from './session.ts';

type Dependencies = { db: Db; catalog: Catalog; model: Model | null };
type Opening = Request<typeof endpoint>['body'];

export async function openIntake(
  dependencies: Dependencies,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { db, catalog } = dependencies;
  const { caller, body, cause } = request;
  const { accountId } = caller;
  refuseUnclear(body);
  const earlier = await earlierAnswer<AnswerOf<typeof endpoint>>(db, request);
  if (earlier) return earlier;
  const order = await orderToCopy(dependencies, accountId, body);
  const { service_family = '', service_type = null } = order ?? body;
  const family = offeredFamily(catalog, service_family, service_type);
  const exchange = await firstExchange(dependencies, caller, family, order ?? body);
  return withIdempotencyKey(db, request, async (trx) => {
    await lockAccount(trx, accountId);
    await refuseTooMany(trx, accountId);
    const files = order ? await copyFiles(trx, accountId, order.files, cause) : exchange.draft.files;
    const draft = { ...exchange.draft, files };
    const session = await insertSession(trx, accountId, draft, cause);
    const location = body.template_id ? '/template_id' : body.job_id ? '/job_id' : '/message';
    const { saved } = await saveExchange(trx, family, session, body.message, { ...exchange, draft }, location);
    await appendAudit(trx, cause, { action: 'intake.opened', subject: showId('ise', session.id), accountId });
    return { status: 201, body: { intake_session: await showSession(trx, catalog, saved) } };
  });
}

function refuseUnclear(body: Opening): void {
  const source = (['template_id', 'job_id'] as const).find((name) => body[name] !== undefined);
  const other = Object.keys(body).find((name) => name !== source);
  if (source && other) throw badBody([{ location: `/${other}`, message: `cannot be sent with ${source}` }]);
  if (!source && body.service_family === undefined)
    throw badBody([{ location: '/service_family', message: 'is required without template_id and job_id' }]);
}

async function orderToCopy(
  { db, catalog }: Dependencies,
  accountId: string,
  { template_id, job_id }: Opening,
): Promise<(EarlierOrder & { files: string[] }) | null> {
  if (template_id !== undefined) return ownedTemplate(db, accountId, template_id);
  return job_id === undefined ? null : orderOfJob(db, catalog, accountId, job_id);
}

/** No lock is held while the model reads. */
async function firstExchange(
  { db, catalog, model }: Dependencies,
  caller: Request<typeof endpoint>['caller'],
  family: Family,
  from: EarlierOrder | Opening,
): Promise<Exchange> {
  const { accountId } = caller;
  const start = 'answers' in from ? draftFrom(family, from) : newDraft(family, from.service_type ?? null);
  const draft = await fromBrand(db, accountId, family, start);
  if (!('message' in from) || from.message === undefined) return greet(family, draft);
  const danger = unsafe([['/message', from.message]]);
  if (danger) throw danger;
  const files = await mentionedFiles(db, accountId, from.message);
  const findings = await askModel(model, accountId, family, draft, from.message);
  return open(catalog, draft, { text: from.message, files, findings, asker: kindOf(caller) });
}
