import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { replaceBrand as endpoint } from '../../contract/ordering/brand.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, lockAccount, transact, type Trx } from '../db/pool.ts';
import type { Cause, Request } from '../http/request.ts';
import { badBody, Refusal } from '../http/refusal.ts';
import { type FileRow, keptFault, namedFiles } from '../jobs/job-file.ts';
import { showId } from '../lib/id.ts';
import { lockMembers } from '../members/member.ts';
import { unsafe } from '../safety/policy.ts';
import { type BrandRow, type Fact, findBrand, showBrand } from './brand.ts';

type Body = Request<typeof endpoint>['body'];

/** A body that says what the kit is already changes nothing, so a repeat is safe with the old version. */
export async function replaceBrand(
  { db }: { db: Db },
  { caller, body, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { accountId } = caller;
  refuseRepeatedLabels(body.facts);
  refuseUnsafe(body.facts);
  const brand = await transact(db, async (trx) => {
    if (caller.method === 'session') await lockMembers(trx, caller);
    await lockAccount(trx, accountId);
    const before = await findBrand(trx, accountId);
    if (isSame(before, body)) return before;
    if (body.version !== undefined && body.version !== before.version) throw new Refusal('brand_changed');
    const files = await kitFiles(trx, accountId, body.file_ids);
    await setFacts(trx, accountId, body.facts, cause);
    await setFiles(trx, accountId, files);
    await appendAudit(trx, cause, { action: 'brand.updated', subject: showId('acct', accountId), accountId });
    return findBrand(trx, accountId);
  });
  return { status: 200, body: { brand: showBrand(brand) } };
}

function refuseRepeatedLabels(facts: readonly Fact[]): void {
  const labels = facts.map(({ label }) => label.toLowerCase());
  const details = labels.flatMap((label, at) =>
    labels.indexOf(label) < at ? [{ location: `/facts/${at}/label`, message: 'repeats an earlier label' }] : [],
  );
  if (details.length > 0) throw badBody(details);
}

function refuseUnsafe(facts: readonly Fact[]): void {
  const refusal = unsafe(
    facts.flatMap(({ label, text }, at): [string, string][] => [
      [`/facts/${at}/label`, label],
      [`/facts/${at}/text`, text],
    ]),
  );
  if (refusal) throw refusal;
}

function isSame(before: BrandRow, { facts, file_ids }: Body): boolean {
  const now = showBrand(before);
  const pairs = (some: readonly Fact[]) => some.map(({ label, text }) => [label, text]);
  return isDeepStrictEqual([pairs(now.facts), now.file_ids], [pairs(facts), file_ids]);
}

const kitFiles = (trx: Trx, accountId: string, ids: readonly string[]): Promise<FileRow[]> =>
  namedFiles(trx, { account_id: accountId, uploaded_by: 'customer' }, ids, (file) => {
    const { purpose, job_id, template_id } = file;
    if (template_id !== null) return keptFault(file);
    if (purpose !== 'job_reference') return `names a file with the purpose ${purpose}, not job_reference`;
    return job_id === null ? null : 'names a file of a job: copy it with POST /api/v1/files/{id}/copy';
  });

async function setFacts(
  trx: Trx,
  accountId: string,
  facts: readonly Fact[],
  { userId, apiKeyId }: Cause,
): Promise<void> {
  const json = JSON.stringify(facts);
  await sql`
    insert into brand_kits (account_id, facts, version, updated_by_user, updated_by_key)
    values (${accountId}, ${json}, 1, ${userId}, ${apiKeyId})
    on conflict (account_id) do update set facts = excluded.facts, version = brand_kits.version + 1,
      updated_at = excluded.updated_at, updated_by_user = excluded.updated_by_user, updated_by_key = excluded.updated_by_key`.execute(
    trx,
  );
}

/** Files that leave the kit have no position any more, and their retention goes on. */
async function setFiles(trx: Trx, accountId: string, files: readonly FileRow[]): Promise<void> {
  const ids = files.map(({ id }) => id);
  await sql`
    update files set brand_position = array_position(${ids}::uuid[], id)
    where account_id = ${accountId} and (id = any(${ids}::uuid[]) or (brand_position is not null and job_id is null))`.execute(
    trx,
  );
}
