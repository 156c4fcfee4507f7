import type { inviteImportedPeople as endpoint } from '../../../contract/desk/imported-people.ts';
import { withIdempotencyKey } from '../../db/idempotency.ts';
import { type Db, lockCounters, type Trx } from '../../db/pool.ts';
import { badBody } from '../../http/refusal.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { readId } from '../../lib/id.ts';
import { type ImportedPerson, importedPeopleOf, minutesBetweenInvitations } from '../../members/imported-person.ts';
import { makeInvitation } from '../../members/new-invitation.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';
import { deskAccountUuid, unknownAccount } from './desk-account.ts';
import { readAccount } from './read-account.ts';

const atOnce = 100;

/** The answer is the same whether or not an address belongs to somebody who has an account already. */
export async function inviteImportedPeople(
  { db, graceHours }: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const accountId = deskAccountUuid(params.id);
  // The key remembers no address. A repeat answers the account as it is.
  const { status, headers, ...made } = await withIdempotencyKey<Made>(db, request, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    if ((await lockCounters(trx, accountId)).length === 0) throw unknownAccount();
    const people = await chosenPeople(trx, accountId, body.person_ids);
    for (const { email, role } of people)
      await makeInvitation(trx, { accountId, email, role, inviterId: caller.userId }, cause);
    return { status: 200, body: { account: { id: params.id }, invited: people.length }, accountId };
  });
  const { body: read } = await readAccount({ db, graceHours }, request);
  return { status, ...(headers ? { headers } : {}), body: { ...read, invited: made.body.invited } };
}

type Made = {
  status: 200;
  body: { account: { id: string }; invited: number };
  headers?: Record<string, string | string[]>;
};

async function chosenPeople(trx: Trx, accountId: string, ids?: readonly string[]): Promise<ImportedPerson[]> {
  const people = await importedPeopleOf(trx, accountId);
  if (!ids) return people.filter(({ invited_until }) => invited_until === null).slice(0, atOnce);
  return ids.map((id, index) => {
    const person = people.find(({ person_id }) => person_id === readId('user', id));
    const fault = whyNotInvited(person);
    if (!person || fault) throw badBody([{ location: `/person_ids/${index}`, message: fault ?? '' }]);
    return person;
  });
}

function whyNotInvited(person: ImportedPerson | undefined): string | null {
  if (!person) return 'names nobody who was imported and has not joined';
  if (person.invited_by_member) return 'has an open invitation from a member of the account';
  if (person.invited_just_now) return `was invited less than ${minutesBetweenInvitations} minutes ago`;
  return null;
}
