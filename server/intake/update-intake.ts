import { isDeepStrictEqual } from 'node:util';
import type { AnswerOf, Body } from '../../contract/endpoint.ts';
import type { updateIntake as endpoint } from '../../contract/ordering/intake-fields.ts';
import { studioNames, valuesOf } from '../../contract/jobs/optional-fields.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Catalog, type Family, offeredFamily } from '../catalog/catalog.ts';
import { type Db, transact, type Trx } from '../db/pool.ts';
import type { Request } from '../http/request.ts';
import { unattachedFiles } from '../jobs/job-file.ts';
import { withChanges } from '../jobs/optional-fields.ts';
import { showId } from '../lib/id.ts';
import { findSuggestions } from '../requirements/find-suggestions.ts';
import { conflict } from './brief.ts';
import { asChanged, type Draft, fieldOf, suggestionsOf, withField, withService, withSuggestion } from './draft.ts';
import { findWish } from './find-wish.ts';
import { fromBrand } from './from-brand.ts';
import { saveDraft, sessionToChange, showSession } from './session.ts';

type Change = Body<typeof endpoint>;

/** Changes everything except the fields. What the body leaves out stays. */
export async function updateIntake(
  { db, catalog }: { db: Db; catalog: Catalog },
  { caller: { accountId }, params, body, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    const { session, family: before, draft } = await sessionToChange(trx, catalog, accountId, params.id);
    refuseStale(draft, body);
    const family = offeredFamily(catalog, body.service_family ?? before.id, body.service_type);
    const { customer_title: title = draft.title } = body;
    const filed: Draft = {
      ...withServiceWanted(draft, family, before, body),
      title,
      ...(body.brand_kit === undefined ? {} : { brand_kit: body.brand_kit }),
      ...valuesOf(studioNames, await withChanges(trx, studioNames, draft, body)),
      files: await filesIn(trx, accountId, body, draft.files),
    };
    const worded = body.words === undefined ? filed : reread(family, withWordsOf(filed, body, body.words.trim()));
    const branded = await fromBrand(trx, accountId, family, worded);
    if (isDeepStrictEqual(branded, draft))
      return { status: 200, body: { intake_session: await showSession(trx, catalog, session) } };
    const saved = await saveDraft(trx, family, session, asChanged(family, branded), '/words');
    await appendAudit(trx, cause, { action: 'intake.updated', subject: params.id, accountId });
    return { status: 200, body: { intake_session: await showSession(trx, catalog, saved) } };
  });
}

function refuseStale({ version }: Draft, { version: read = version }: Change): void {
  if (read !== version)
    throw conflict(
      `The draft has changed: it is version ${version} now, not ${read}.`,
      'Read the session, and send the change again with its version.',
    );
}

function withServiceWanted(draft: Draft, family: Family, before: Family, { service_type }: Change): Draft {
  const next = service_type ?? (family === before ? draft.service_type : null);
  return family === before && next === draft.service_type ? draft : withService(draft, family, next);
}

/** A day that the words name is the wish, unless the customer has chosen another one or none. */
function withWordsOf(draft: Draft, { wanted_by }: Change, words: string): Draft {
  if (wanted_by !== undefined) return { ...draft, words };
  const before = findWish(draft.words)?.at ?? null;
  const wish = findWish(words)?.at ?? null;
  return { ...draft, words, wanted_by: draft.wanted_by === before && wish ? wish : draft.wanted_by };
}

async function filesIn(trx: Trx, accountId: string, { file_ids }: Change, before: Draft['files']) {
  if (file_ids === undefined) return before;
  const files = await unattachedFiles(trx, accountId, file_ids);
  return files.map(({ id, file_name }) => ({ id: showId('file', id), name: file_name }));
}

/** In the box, labels suggest, too: it is read again with each change. */
function reread(family: Family, draft: Draft): Draft {
  const cleared = suggestionsOf(family, draft)
    .filter(({ by }) => by === 'labels' || by === 'pattern' || by === 'model')
    .reduce((left, { requirement }) => withField(left, requirement, { suggestion: null }), draft);
  return findSuggestions(family, draft.service_type, draft.words)
    .filter(({ requirement }) => fieldOf(draft, requirement).answer === null && !fieldOf(draft, requirement).open)
    .reduce(withSuggestion, cleared);
}
