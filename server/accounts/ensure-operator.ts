import type { Db } from '../db/pool.ts';
import type { Auth } from './auth.ts';
import { createPerson, normalEmail, setPassword } from './person.ts';

/**
 * Makes the operator of the configuration at the start; several processes may do so at once. Someone who has the address
 * and proved it only gets the flag, and keeps their password. If nobody proved it, whoever signed up with it may be a
 * stranger who guessed it: then the password becomes the configured one and all sessions end. Answers whether the
 * configured password is theirs.
 */
export async function ensureOperator(
  { db, auth }: { db: Db; auth: Auth },
  operator: { email: string; password: string },
): Promise<boolean> {
  const email = normalEmail(operator.email);
  const passwordHash = await auth.hashPassword(operator.password);
  const setBefore = await db.transaction().execute(async (trx) => {
    if (await createPerson(trx, { name: 'Operator', email, passwordHash, operator: true })) return null;
    const { id, email_verified } = await trx
      .selectFrom('auth.user')
      .select(['id', 'email_verified'])
      .where('email', '=', email)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const before = await trx
      .selectFrom('auth.credential')
      .select('password')
      .where('user_id', '=', id)
      .executeTakeFirst();
    if (!email_verified) {
      await setPassword(trx, id, passwordHash);
      await trx.deleteFrom('auth.session').where('user_id', '=', id).execute();
    }
    await trx.updateTable('auth.user').set({ operator: true, email_verified: true }).where('id', '=', id).execute();
    return email_verified ? (before?.password ?? '') : null;
  });
  return setBefore === null || (setBefore !== '' && auth.isPassword(operator.password, setBefore));
}
