import { sql } from 'kysely';
import type { Role } from '../../contract/plans/roles.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, isClosed, lockCounters, type Trx } from '../db/pool.ts';
import type { Cause } from '../http/request.ts';
import { showId } from '../lib/id.ts';

export type ImportedPerson = {
  person_id: string;
  name: string;
  email: string;
  role: Role;
  invited_until: Date | null;
  /** Whether their open invitation is of a member. */
  invited_by_member: boolean;
  invited_just_now: boolean;
};

/** Somebody who was invited is not invited again so soon. */
export const minutesBetweenInvitations = 10;

/**
 * Those of the account who have not joined, with the end of their open invitation. Once an owner has joined,
 * imported owners and admins are invited as members.
 */
export async function importedPeopleOf(db: Db | Trx, accountId: string): Promise<ImportedPerson[]> {
  const { rows } = await sql<ImportedPerson>`
    select p.person_id, u.name, p.email,
      case when p.role in ('owner', 'admin') and exists (select from members m where m.account_id = ${accountId}
        and m.role = 'owner') then 'member' else p.role end as role,
      i.expires_at as invited_until,
      exists (select from members m where m.account_id = ${accountId} and m.user_id = i.inviter_id) as invited_by_member,
      coalesce(i.created_at > now() - make_interval(mins => ${minutesBetweenInvitations}), false) as invited_just_now
    from imported_people p join people u on u.id = p.person_id
    left join lateral (select * from invitations i where i.account_id = ${accountId} and i.email = p.email
      and i.status = 'pending' and i.expires_at > now() order by i.expires_at desc limit 1) i on true
    where p.account_id = ${accountId}
    order by u.name, p.person_id`.execute(db);
  return rows;
}

export const showImportedPerson = ({ person_id, name, email, role, invited_until }: ImportedPerson) => ({
  id: showId('user', person_id),
  name,
  email,
  role,
  invited_until: invited_until?.toISOString() ?? null,
});

type Joined = { accountId: string; userId: string; email: string };

/** A member takes the place of the imported person with their address: imported jobs then name the member. */
export async function replaceImported(trx: Trx, { accountId, userId, email }: Joined): Promise<void> {
  const { rows } = await sql<{ person_id: string }>`
    delete from imported_people where account_id = ${accountId} and email = ${email} returning person_id`.execute(trx);
  for (const { person_id } of rows) {
    // The words of a job have the id of who ordered it.
    await sql`
      with moved as (
        update jobs set created_by_user = ${userId}
        where account_id = ${accountId} and created_by_user = ${person_id} and imported_at is not null
        returning account_id, id)
      insert into unindexed_jobs (account_id, job_id) select account_id, id from moved on conflict do nothing`.execute(
      trx,
    );
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

/** Erases what imports said of a person, wherever they are. Returns accounts in which nobody is left. */
export async function forgetImportedPerson(trx: Trx, userId: string, email: string): Promise<string[]> {
  const { rows } = await sql<{ account_id: string; person_id: string }>`
    select account_id, person_id from imported_people where email = ${email}
    union select account_id, row_id from imported_rows where kind = 'person' and row_id = ${userId}`.execute(trx);
  const left: string[] = [];
  for (const { account_id, person_id } of rows) {
    await lockCounters(trx, account_id);
    await forgetIn(trx, account_id, person_id);
    if (await isClosed(trx, account_id)) left.push(account_id);
  }
  return [...new Set(left)];
}

/** The row by digest stays, so that the person is not imported again. */
export async function forgetIn(trx: Trx, accountId: string, personId: string): Promise<void> {
  await sql`delete from imported_people where account_id = ${accountId} and person_id = ${personId}`.execute(trx);
  await sql`
    update imported_rows set columns = null
    where account_id = ${accountId} and kind = 'person' and row_id = ${personId}`.execute(trx);
  await sql`update people set name = 'Deleted person' where id = ${personId}`.execute(trx);
}

/** Ends invitations that operators sent to imported people. Those that somebody sent as a member stay. */
export async function endImportedInvitations(
  trx: Trx,
  by: { inviterId: string } | { accountId: string; emails: readonly string[] },
  cause: Cause,
): Promise<void> {
  const chosen =
    'inviterId' in by
      ? sql`i.inviter_id = ${by.inviterId}`
      : sql`i.account_id = ${by.accountId} and i.email = any(${by.emails}::text[])`;
  const { rows } = await sql<{ id: string; account_id: string }>`
    update invitations i set status = 'canceled'
    where ${chosen} and i.status = 'pending'
      and not exists (select from members m where m.account_id = i.account_id and m.user_id = i.inviter_id)
    returning i.id, i.account_id`.execute(trx);
  await appendAudit(
    trx,
    cause,
    ...rows.map(
      ({ id, account_id: accountId }) =>
        ({ action: 'invitation.canceled', subject: showId('inv', id), accountId }) as const,
    ),
  );
}
