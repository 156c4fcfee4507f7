import type { OperatorRole } from '../../../contract/desk/operator-roles.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import type { FastifyBaseLogger } from 'fastify';
import { type Db, transact, type Trx } from '../../db/pool.ts';
import { byService } from '../../http/request.ts';
import { Refusal } from '../../http/refusal.ts';
import { showId } from '../../lib/id.ts';
import type { Auth } from '../../sign-in/auth.ts';
import { endAllOf } from '../../members/end-authority.ts';
import { endMailTokens } from '../../mail/outbox.ts';
import { removeSecondFactor } from '../../sign-in/second-factor.ts';
import { askForNames, createPerson, isPasswordOf, normalEmail, setPassword } from '../../sign-in/person.ts';
import { endAtDesk } from './end-at-desk.ts';

type Dependencies = { db: Db; auth: Auth; log: FastifyBaseLogger };
/** `name` is for a new person. An existing one keeps theirs. */
type OperatorInput = {
  email: string;
  password: string;
  name?: string;
  role?: OperatorRole;
  replacePassword?: boolean;
};

/**
 * Makes an operator; safe to run in several processes. An existing person becomes one only with their own
 * password, because anybody can sign up with any address. With `replacePassword`, everything made under the
 * old password ends instead. Existing operators keep their role; `owner` is the default. Returns whether the
 * given password is valid.
 */
export async function ensureOperator({ db, auth, log }: Dependencies, input: OperatorInput): Promise<boolean> {
  const { role = 'owner' } = input;
  const email = normalEmail(input.email);
  const passwordHash = await auth.hashPassword(input.password);
  return transact(db, async (trx) => {
    const made = await createPerson(trx, { name: input.name ?? 'Operator', email, passwordHash, operatorRole: role });
    if (made) {
      await appendAudit(trx, byService(), added(made.id, role));
      log.info({ operator: showId('user', made.id) }, 'created a new person as operator');
      return true;
    }
    const person = await trx
      .selectFrom('people')
      .select(['id', 'operator_role', 'email_verified'])
      .where('email', '=', email)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const proved = await isPasswordOf(trx, auth, person.id, input.password);
    if (input.replacePassword) {
      await replacePassword(trx, person.id, passwordHash);
      if (!person.email_verified) await askForNames(trx, person.id);
    } else if (person.operator_role) return proved;
    else if (!proved) throw notTheirs(email);
    await trx
      .updateTable('people')
      .set({ operator_role: person.operator_role ?? role, email_verified: true })
      .where('id', '=', person.id)
      .execute();
    await appendAudit(trx, byService(), added(person.id, person.operator_role ?? role));
    log.info(
      { operator: showId('user', person.id), password_replaced: input.replacePassword ?? false },
      'made an existing person an operator',
    );
    return true;
  });
}

const added = (userId: string, role: OperatorRole) =>
  ({ action: 'operator.added', subject: showId('user', userId), accountId: null, details: { role } }) as const;

async function replacePassword(trx: Trx, userId: string, passwordHash: string): Promise<void> {
  await setPassword(trx, userId, passwordHash);
  await endMailTokens(trx, userId, ['verify_email', 'reset_password', 'change_email', 'undo_change']);
  await removeSecondFactor(trx, userId, byService());
  // Keys and jobs are locked before accounts, as in every move.
  await endAtDesk(trx, userId, byService());
  await endAllOf(trx, userId, byService());
}

const notTheirs = (email: string) =>
  new Refusal('unauthenticated', {
    message: `A person with the address ${email} already exists, and this is not their password.`,
    action:
      'Use their password, or replace it, which ends their sessions and keys: npm run admin -- operator create --replace-password',
  });
