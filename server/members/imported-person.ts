import { sql } from 'kysely';
import type { Role } from '../../contract/plans/roles.ts';
import type { Db, Trx } from '../db/pool.ts';
import { showId } from '../lib/id.ts';

export type ImportedPerson = { person_id: string; name: string; email: string; role: Role; invited_until: Date | null };

/** Those of the account who have not joined, with the end of their open invitation. */
export async function importedPeopleOf(db: Db | Trx, accountId: string): Promise<ImportedPerson[]> {
  const { rows } = await sql<ImportedPerson>`
    select p.person_id, u.name, p.email, p.role,
      (select max(i.expires_at) from invitations i where i.account_id = ${accountId} and i.email = p.email
        and i.status = 'pending' and i.expires_at > now()) as invited_until
    from imported_people p join people u on u.id = p.person_id
    where p.account_id = ${accountId}
    order by u.name, p.person_id`.execute(db);
  return rows;
}

export const showImportedPerson = ({ person_id, invited_until, ...person }: ImportedPerson) => ({
  id: showId('user', person_id),
  ...person,
  invited_until: invited_until?.toISOString() ?? null,
});

type Joined = { accountId: string; userId: string; email: string };

/** A member takes the place of the imported person with their address: imported jobs then name the member. */
export async function replaceImported(trx: Trx, { accountId, userId, email }: Joined): Promise<void> {
  const { rows } = await sql<{ person_id: string }>`
    delete from imported_people where account_id = ${accountId} and email = ${email} returning person_id`.execute(trx);
  for (const { person_id } of rows) {
    await sql`
      update jobs set created_by_user = ${userId}
      where account_id = ${accountId} and created_by_user = ${person_id} and imported_at is not null`.execute(trx);
    await sql`
      update imported_rows set row_id = ${userId}
      where account_id = ${accountId} and kind = 'person' and row_id = ${person_id}`.execute(trx);
    await trx.deleteFrom('people').where('id', '=', person_id).execute();
  }
}

/** Erases what imports said of an account. The rows by digest stay, so that nobody is imported again. */
export async function forgetImportedAccount(trx: Trx, accountId: string): Promise<void> {
  await sql`
    update people set name = 'Deleted person'
    where id in (select person_id from imported_people where account_id = ${accountId})`.execute(trx);
  await sql`delete from imported_people where account_id = ${accountId}`.execute(trx);
  await sql`update imported_rows set columns = null where account_id = ${accountId}`.execute(trx);
}

/** Erases what imports said of a person, wherever they have joined or could have. */
export async function forgetImportedPerson(trx: Trx, userId: string, email: string): Promise<void> {
  const { rows } = await sql<{ account_id: string; person_id: string }>`
    select account_id, person_id from imported_people where email = ${email}
    union select account_id, row_id from imported_rows where kind = 'person' and row_id = ${userId}`.execute(trx);
  for (const { account_id, person_id } of rows) {
    await sql`
      delete from imported_people where account_id = ${account_id} and person_id = ${person_id}`.execute(trx);
    await sql`
      update imported_rows set columns = null
      where account_id = ${account_id} and kind = 'person' and row_id = ${person_id}`.execute(trx);
    await sql`update people set name = 'Deleted person' where id = ${person_id}`.execute(trx);
  }
}

/** Ends the invitations that an operator sent to imported people. Those that they sent as a member stay. */
export async function endImportedInvitations(trx: Trx, inviterId: string): Promise<void> {
  await sql`
    update invitations i set status = 'canceled'
    where i.inviter_id = ${inviterId} and i.status = 'pending'
      and not exists (select from members m where m.account_id = i.account_id and m.user_id = ${inviterId})`.execute(
    trx,
  );
}
