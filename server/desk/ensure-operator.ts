import { appendAudit } from '../audit/append-audit.ts';
import type { FastifyBaseLogger } from 'fastify';
import { type Db, type Trx } from '../db/pool.ts';
import { transact } from '../db/transact.ts';
import { byService } from '../http/cause.ts';
import { Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import type { Auth } from '../sign-in/auth.ts';
import { endAllOf } from '../members/end-authority.ts';
import { endMailTokens } from '../mail/outbox.ts';
import { removeSecondFactor } from '../sign-in/second-factor.ts';
import { askForNames, createPerson, isPasswordOf, normalEmail, setPassword } from '../sign-in/person.ts';
import { endAtDesk } from './end-at-desk.ts';

type Parts = { db: Db; auth: Auth; log: FastifyBaseLogger };
/** The name is that of a new person; who is there keeps theirs. */
type Wanted = { email: string; password: string; name?: string; replacePassword?: boolean };

/**
 * Makes an operator; several processes may do so at once. Who has the address already becomes one only with the right
 * password, because anybody can sign up with any address; or their password is replaced, and all that was made under the old
 * one ends: sessions, keys, worker keys, held jobs. An operator is left as they are. Answers whether the password that was given is theirs.
 */
export async function ensureOperator({ db, auth, log }: Parts, wanted: Wanted): Promise<boolean> {
  const email = normalEmail(wanted.email);
  const passwordHash = await auth.hashPassword(wanted.password);
  return transact(db, async (trx) => {
    const made = await createPerson(trx, { name: wanted.name ?? 'Operator', email, passwordHash, operator: true });
    if (made) {
      await appendAudit(trx, byService(), added(made.id));
      log.info({ operator: showId('user', made.id) }, 'an operator was made, as a new person');
      return true;
    }
    const person = await trx
      .selectFrom('auth.user')
      .select(['id', 'operator', 'email_verified'])
      .where('email', '=', email)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const proved = await isPasswordOf(trx, auth, person.id, wanted.password);
    if (wanted.replacePassword) {
      await replacePassword(trx, person.id, passwordHash);
      if (!person.email_verified) await askForNames(trx, person.id);
    } else if (person.operator) return proved;
    else if (!proved) throw notTheirs(email);
    await trx
      .updateTable('auth.user')
      .set({ operator: true, email_verified: true })
      .where('id', '=', person.id)
      .execute();
    await appendAudit(trx, byService(), added(person.id));
    log.info(
      { operator: showId('user', person.id), password_replaced: wanted.replacePassword ?? false },
      'an operator was made, of a person who was there',
    );
    return true;
  });
}

const added = (userId: string) =>
  ({ action: 'operator.added', subject: showId('user', userId), accountId: null }) as const;

async function replacePassword(trx: Trx, userId: string, passwordHash: string): Promise<void> {
  await setPassword(trx, userId, passwordHash);
  await endMailTokens(trx, userId, ['verify_email', 'reset_password', 'change_email', 'undo_change']);
  await removeSecondFactor(trx, userId, byService());
  // Keys and jobs are locked before accounts, as by every move.
  await endAtDesk(trx, userId, byService());
  await endAllOf(trx, userId, byService());
}

const notTheirs = (email: string) =>
  new Refusal('unauthenticated', {
    message: `Somebody has an account with the address ${email}, and this is not their password.`,
    action:
      'Give their password; or replace it, which ends their sessions and keys: npm run admin -- operator create --replace-password',
  });
