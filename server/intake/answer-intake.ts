import type { AnswerOf, Body } from '../../contract/endpoint.ts';
import { faultOf } from '../../contract/ordering/fits-kind.ts';
import type { answerIntake as endpoint } from '../../contract/ordering/intake-fields.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Catalog, type Family, type Requirement, requirementsOf } from '../catalog/catalog.ts';
import { type Db, transact } from '../db/pool.ts';
import { badBody } from '../http/refusal.ts';
import type { Request } from '../http/request.ts';
import { findSuggestions } from '../requirements/find-suggestions.ts';
import {
  accepted,
  asChanged,
  dismissed,
  type Draft,
  fieldOf,
  leftOpen,
  withAnswer,
  withField,
  withSuggestion,
} from './draft.ts';
import { saveDraft, sessionToChange, showSession } from './session.ts';

/** Sets one field of the draft, as the form does. A repeat changes nothing. */
export async function answerIntake(
  { db, catalog }: { db: Db; catalog: Catalog },
  { caller: { accountId }, params, body, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    const { session, family, draft } = await sessionToChange(trx, catalog, accountId, params.id);
    const changed = setField(family, draft, body);
    if (changed === draft) return { status: 200, body: { intake_session: await showSession(trx, catalog, session) } };
    const saved = await saveDraft(trx, family, session, asChanged(family, changed), '/answer');
    await appendAudit(trx, cause, { action: 'intake.updated', subject: params.id, accountId });
    return { status: 200, body: { intake_session: await showSession(trx, catalog, saved) } };
  });
}

function setField(family: Family, draft: Draft, change: Body<typeof endpoint>): Draft {
  const { requirement: label, answer, accept, open } = change;
  if ([answer, accept, open].filter((value) => value !== undefined).length !== 1)
    throw badBody([{ location: '/', message: 'needs exactly one of answer, accept and open' }]);
  const requirement = requirementsOf(family, draft.service_type).find((other) => other.label === label);
  if (!requirement) throw badBody([{ location: '/requirement', message: 'is not a requirement of the service' }]);
  const field = fieldOf(draft, label);
  if (open) return field.open ? draft : leftOpen(draft, label);
  if (answer !== undefined) {
    refuseUnfit(requirement, answer, '/answer');
    return field.answer?.answer === answer.trim() ? draft : withAnswer(draft, label, answer, 'typed');
  }
  if (!field.suggestion) return withoutSuggestion(family, draft, label, accept);
  if (!accept) return dismissed(draft, field.suggestion);
  refuseUnfit(requirement, field.suggestion.answer, '/accept');
  return accepted(draft, field.suggestion);
}

/** A repeated acceptance changes nothing; `accept: false` takes one back. */
function withoutSuggestion(family: Family, draft: Draft, label: string, accept: boolean | undefined): Draft {
  const { answer } = fieldOf(draft, label);
  const isAccepted = answer?.source === 'accepted' || answer?.source === 'brand';
  if (accept && !isAccepted)
    throw badBody([{ location: '/accept', message: 'there is no suggestion for this requirement' }]);
  if (accept || !isAccepted) return draft;
  const finding = findSuggestions(family, draft.service_type, draft.words).find(
    (other) => other.requirement === label && other.answer === answer.answer,
  );
  const by = answer.source === 'brand' ? 'brand' : 'reply';
  const suggestion = finding ?? { requirement: label, answer: answer.answer, span: answer.answer, by };
  return withSuggestion(withField(draft, label, { answer: null }), suggestion);
}

function refuseUnfit(requirement: Requirement, answer: string, location: string): void {
  const message = faultOf(requirement, answer);
  if (message) throw badBody([{ location, message }]);
}
