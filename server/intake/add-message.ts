import type { AnswerOf } from '../../contract/endpoint.ts';
import type { addMessage as endpoint } from '../../contract/intake.ts';
import type { Request } from '../http/request.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { unsafe } from '../safety/policy.ts';
import type { Db, Trx } from '../db/pool.ts';
import { converse, type Turn } from './conversation.ts';
import { mentionedFiles } from './mentioned-files.ts';
import type { Model } from './model.ts';
import type { Proposal } from './proposal.ts';
import {
  familyOf,
  messagesOf,
  ownedSession,
  recordMessages,
  type SessionRow,
  showMessage,
  showSession,
} from './session.ts';
import { cannotKeep, cannotTake } from './take-message.ts';
import { current } from './talk.ts';

/** What the customer says, and the concierge's reply. Messages of one session are taken one after the other. */
export async function addMessage(
  db: Db,
  catalog: Catalog,
  model: Model | null,
  { caller, params, body: { content } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { accountId } = caller;
  const thought = model && (await think(db, catalog, model, accountId, params.id, content));
  return db.transaction().execute(async (trx) => {
    const session = await ownedSession(trx, accountId, params.id, true);
    const refusal = cannotTake(session) ?? unsafe(catalog, [['/content', content]]);
    if (refusal) throw refusal;
    const family = familyOf(catalog, session);
    const turn = converse(catalog, family, current(family, session.talk), {
      message: content,
      files: await mentionedFiles(trx, accountId, content),
      proposal: thought?.lastSeq === session.last_seq ? thought.proposal : null,
    });
    const fault = cannotKeep(catalog, family, turn, '/content');
    if (fault) throw fault;
    const [, reply] = await recordMessages(trx, session, session.last_seq, [
      { role: 'customer', content },
      { role: 'concierge', content: turn.reply },
    ]);
    const changed = await updateSession(trx, session, turn);
    return { status: 201, body: { session: await showSession(trx, catalog, changed), message: showMessage(reply!) } };
  });
}

/**
 * What a model makes of the message, before any row is locked. It counts only if nothing was said meanwhile. A message
 * that will be refused is not shown to it, least of all a credential.
 */
async function think(
  db: Db,
  catalog: Catalog,
  model: Model,
  accountId: string,
  id: string,
  content: string,
): Promise<{ proposal: Proposal | null; lastSeq: number } | null> {
  const session = await ownedSession(db, accountId, id);
  if (cannotTake(session) || unsafe(catalog, [['/content', content]])) return null;
  const family = familyOf(catalog, session);
  const messages = await messagesOf(db, session);
  const proposal = await model.propose(family, current(family, session.talk), messages, content);
  return { proposal, lastSeq: session.last_seq };
}

async function updateSession(trx: Trx, session: SessionRow, { talk, brief }: Turn): Promise<SessionRow> {
  const status = brief ? 'brief_ready' : 'open';
  const last_seq = session.last_seq + 2;
  await trx
    .updateTable('intake_sessions')
    .where('account_id', '=', session.account_id)
    .where('id', '=', session.id)
    .set({ status, last_seq, talk: JSON.stringify(talk), brief: brief && JSON.stringify(brief) })
    .execute();
  return { ...session, status, last_seq, talk, brief };
}
