import type { AnswerOf } from '../../contract/endpoint.ts';
import { kindOf, type unsubscribe as endpoint } from '../../contract/people/notifications.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact } from '../db/pool.ts';
import type { Cause, Request } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import type { Signer } from '../lib/signer.ts';
import { unknownToken } from '../mail/mail-token.ts';
import { choicesOf, chooseMail } from '../mail/notification-choice.ts';
import { readUnsubscribeToken } from '../mail/unsubscribe-token.ts';

type Dependencies = { db: Db; signer: Signer };

export async function unsubscribe(
  dependencies: Dependencies,
  { body, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return { status: 200, body: { ended: await endMails(dependencies, body.token, cause) } };
}

/** Ends the mails of one kind, or of all kinds of the mail of the day. Returns the kinds. */
export async function endMails({ db, signer }: Dependencies, token: string, cause: Cause): Promise<string[]> {
  const read = readUnsubscribeToken(signer, token);
  if (!read) throw unknownToken();
  const { userId, of } = read;
  return transact(db, async (trx) => {
    const person = await trx.selectFrom('people').select('operator_role').where('id', '=', userId).executeTakeFirst();
    const choices = await choicesOf(trx, { userId, operatorRole: person?.operator_role ?? null });
    const kinds = of === 'daily' ? choices.filter(({ mail }) => mail === 'daily').map(({ kind }) => kind) : [of];
    const subject = showId('user', userId);
    if (await chooseMail(trx, userId, kinds, 'never'))
      await appendAudit(trx, { ...cause, userId }, { action: 'user.mails_changed', subject, accountId: null });
    return kinds.map((kind) => kindOf(kind).says);
  });
}
