import { sql } from 'kysely';
import type { OperatorRole } from '../../contract/desk/operator-roles.ts';
import { newId, showId } from '../lib/id.ts';
import type { Db, Trx } from '../db/pool.ts';
import type { Auth } from './auth.ts';

type NewPerson = {
  name: string;
  email: string;
  passwordHash: string;
  operatorRole?: OperatorRole;
  verified?: boolean;
  accountName?: string | undefined;
};

export const normalEmail = (email: string): string => email.toLowerCase();

/** A replaced address stays reserved for its former owner as long as they can undo the change. */
export async function isTaken(db: Db | Trx, email: string, exceptFor?: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select from people where email = ${email} and id is distinct from ${exceptFor ?? null})
      or exists (select from mail_tokens where purpose = 'undo_change' and email = ${email}
        and expires_at > now() and user_id is distinct from ${exceptFor ?? null}) as taken`.execute(db);
  return rows[0]?.taken ?? false;
}

/** With an account of their own. Null when the address is taken. */
export async function createPerson(trx: Trx, { name, email, passwordHash, operatorRole, ...more }: NewPerson) {
  const { accountName = name, verified = false } = more;
  if (!operatorRole && (await isTaken(trx, email))) return null;
  const person = await trx
    .insertInto('people')
    // The configuration of the service vouches for the operator's address.
    .values({
      id: newId(),
      name,
      email,
      ...(operatorRole ? { operator_role: operatorRole, email_verified: true } : { email_verified: verified }),
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(['id', 'name', 'email', 'email_verified'])
    .executeTakeFirst();
  if (!person) return null;
  await setPassword(trx, person.id, passwordHash);
  await insertAccount(trx, { id: newId(), name: accountName, ownerId: person.id });
  return person;
}

type NewAccount = { id: string; name: string; ownerId: string };

/** With its counters, which every change of something counted locks first. */
export async function insertAccount(trx: Trx, { id, name, ownerId }: NewAccount): Promise<void> {
  await trx.insertInto('accounts').values({ id, name, slug: id }).execute();
  await trx.insertInto('account_counters').values({ account_id: id }).execute();
  await trx.insertInto('members').values({ id: newId(), account_id: id, user_id: ownerId, role: 'owner' }).execute();
}

export async function isPasswordOf(db: Db | Trx, auth: Auth, userId: string, password: string): Promise<boolean> {
  const credential = await db
    .selectFrom('credentials')
    .select('password')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  return credential?.password ? auth.isPassword({ password, hash: credential.password }) : false;
}

/** The library expects provider `credential` and the user's own id as account id. */
export async function setPassword(trx: Trx, userId: string, passwordHash: string): Promise<void> {
  await trx
    .insertInto('credentials')
    .values({ id: newId(), user_id: userId, provider_id: 'credential', account_id: userId, password: passwordHash })
    .onConflict((conflict) => conflict.columns(['provider_id', 'account_id']).doUpdateSet({ password: passwordHash }))
    .execute();
}

/** Nobody can sign in until a new one is set. */
export const removePassword = (trx: Trx, userId: string) =>
  trx.updateTable('credentials').set({ password: null }).where('user_id', '=', userId).execute();

/** Clears the names chosen before the address was verified. */
export async function askForNames(trx: Trx, userId: string): Promise<void> {
  await trx.updateTable('people').set({ name: 'New member', name_needed: true }).where('id', '=', userId).execute();
  await trx
    .updateTable('accounts')
    .set({ name: 'New account' })
    .where('id', 'in', (own) =>
      own.selectFrom('members').select('account_id').where('user_id', '=', userId).where('role', '=', 'owner'),
    )
    .execute();
}

export const showUser = (user: { id: string; name: string; email: string; emailVerified: boolean }) => ({
  id: showId('user', user.id),
  name: user.name,
  email: user.email,
  email_verified: user.emailVerified,
});
