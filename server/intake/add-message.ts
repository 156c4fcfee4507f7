import type { AnswerOf } from '../../contract/endpoint.ts';
import { mostMessages } from '../../contract/ordering/intake-session.ts';
import type { addMessage as endpoint } from '../../contract/ordering/intake.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { earlierAnswer, withIdempotencyKey } from '../db/idempotency.ts';
import type { Db } from '../db/pool.ts';
import { mentionedFiles } from '../files/mentioned-files.ts';
import { kindOf, type Request } from '../http/request.ts';
import type { Model } from '../model/model.ts';
import { unsafe } from '../safety/policy.ts';
import { askModel } from './ask-model.ts';
import { conflict } from './brief.ts';
import { converse } from './conversation.ts';
import { ownedSession, saveExchange, sessionToChange, showSession } from './session.ts';

type Dependencies = { db: Db; catalog: Catalog; model: Model | null };

type Answer = AnswerOf<typeof endpoint>;
/** Without the session, which would be stored once with each of its messages. */
type Stored = Answer | { status: 201; body: { intake_session: null; message: Answer['body']['message'] } };

/** Messages of one session are processed in order. */
export async function addMessage(dependencies: Dependencies, request: Request<typeof endpoint>): Promise<Answer> {
  const { db, catalog } = dependencies;
  const answer = (await earlierAnswer<Stored>(db, request)) ?? (await takeMessage(dependencies, request));
  const { intake_session, message } = answer.body;
  if (intake_session) return { ...answer, body: { intake_session, message } };
  const current = await ownedSession(db, request.caller.accountId, request.params.id);
  return { ...answer, body: { intake_session: await showSession(db, catalog, current), message } };
}

async function takeMessage({ db, catalog, model }: Dependencies, request: Request<typeof endpoint>): Promise<Stored> {
  const { caller, params, cause, body } = request;
  const { accountId } = caller;
  const { content } = body;
  const seen = await sessionToChange(db, catalog, accountId, params.id, false);
  const danger = unsafe([['/content', content]]);
  if (danger) throw danger;
  // No row is locked while the model reads.
  const findings = await askModel(model, accountId, seen.family, seen.draft, content);
  return withIdempotencyKey<Stored>(db, request, async (trx) => {
    const { session, family, draft } = await sessionToChange(trx, catalog, accountId, params.id);
    refuseFull(session.last_seq);
    const exchange = converse(catalog, draft, {
      text: content,
      asker: kindOf(caller),
      files: await mentionedFiles(trx, accountId, content),
      // What was found for an older version is dropped.
      findings: draft.version === seen.draft.version ? findings : [],
    });
    const { saved, message } = await saveExchange(trx, family, session, content, exchange, '/content');
    await appendAudit(trx, cause, { action: 'intake.message_added', subject: params.id, accountId });
    const shown = await showSession(trx, catalog, saved);
    return { status: 201, body: { intake_session: shown, message }, repeat: { intake_session: null } };
  });
}

/** A message and its reply count as two messages. */
function refuseFull(last: number): void {
  if (last + 2 > mostMessages)
    throw conflict(
      `This conversation is full: it has ${last} of ${mostMessages} messages.`,
      'Set the fields and confirm the brief, or open a new conversation.',
    );
}
