import type { AnswerOf } from '../../contract/endpoint.ts';
import { type addMessage as endpoint, mostMessages } from '../../contract/intake.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Trx, Db } from '../db/pool.ts';
import type { Refusal } from '../http/refusal.ts';
import type { Request } from '../http/request.ts';
import { unsafe } from '../safety/policy.ts';
import { refuseUnkeepable } from './brief.ts';
import { converse, type Exchange } from './conversation.ts';
import { mentionedFiles } from './mentioned-files.ts';
import type { Proposal } from './parse-message.ts';
import {
  conflict,
  familyOf,
  hasEnded,
  messagesOf,
  ownedSession,
  recordMessages,
  type SessionRow,
  showMessage,
  showSession,
} from './session.ts';
import { currentState } from './state.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Model } from './model.ts';
import { earlierAnswer, withIdempotencyKey } from '../db/idempotency.ts';

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
  const thought = await think({ db, catalog, model }, accountId, params.id, content);
  return withIdempotencyKey<Stored>(db, request, async (trx) => {
    const session = await ownedSession(trx, accountId, params.id, true);
    const refusal = cannotTake(session) ?? unsafe([['/content', content]]);
    if (refusal) throw refusal;
    const family = familyOf(catalog, session);
    const exchange = converse(catalog, family, currentState(family, session.state), {
      text: content,
      files: await mentionedFiles(trx, accountId, content),
      proposal: thought?.lastSeq === session.last_seq ? thought.proposal : null,
    });
    refuseUnkeepable(family, exchange, '/content');
    const [, reply] = await recordMessages(trx, session, session.last_seq, [
      { role: 'customer', content },
      { role: 'concierge', content: exchange.reply, understood: exchange.understood },
    ]);
    const changed = await updateSession(trx, session, exchange);
    await appendAudit(trx, cause, { action: 'intake.message_added', subject: params.id, accountId });
    return {
      status: 201,
      body: { intake_session: await showSession(trx, catalog, changed), message: showMessage(reply!) },
      repeat: { intake_session: null },
    };
  });
}

/** A message and its reply count as two messages. */
function cannotTake(session: SessionRow): Refusal | null {
  const ended = hasEnded(session);
  if (ended || session.last_seq + 2 <= mostMessages) return ended;
  return conflict(
    `This conversation is full: it has ${session.last_seq} of ${mostMessages} messages.`,
    session.brief ? 'Confirm the brief, or open a new conversation.' : 'Open a new conversation.',
  );
}

/** Before any row is locked; stale answers are dropped. Messages to be refused are not shown to it. */
async function think(
  { db, catalog, model }: Dependencies,
  accountId: string,
  id: string,
  content: string,
): Promise<{ proposal: Proposal | null; lastSeq: number } | null> {
  if (!model || !(await model.serves(accountId))) return null;
  const session = await ownedSession(db, accountId, id);
  if (cannotTake(session) || unsafe([['/content', content]])) return null;
  const said = await messagesOf(db, session);
  const proposal = await model.propose(familyOf(catalog, session), session.state, said, content);
  return { proposal, lastSeq: session.last_seq };
}

async function updateSession(trx: Trx, session: SessionRow, { state, brief }: Exchange): Promise<SessionRow> {
  const status = brief ? 'brief_ready' : 'open';
  const last_seq = session.last_seq + 2;
  await trx
    .updateTable('intake_sessions')
    .where('account_id', '=', session.account_id)
    .where('id', '=', session.id)
    .set({ status, last_seq, state: JSON.stringify(state), brief: brief && JSON.stringify(brief) })
    .execute();
  return { ...session, status, last_seq, state, brief };
}
