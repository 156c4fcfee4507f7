import type { inviteImportedPeople as endpoint } from '../../../contract/desk/imported-people.ts';
import { withIdempotencyKey } from '../../db/idempotency.ts';
import { type Db, lockCounters, type Trx } from '../../db/pool.ts';
import { badBody } from '../../http/refusal.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { readId, showId } from '../../lib/id.ts';
import { type ImportedPerson, importedPeopleOf } from '../../members/imported-person.ts';
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
  return withIdempotencyKey(db, request, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    if ((await lockCounters(trx, accountId)).length === 0) throw unknownAccount();
    const people = await chosenPeople(trx, accountId, body.person_ids);
    for (const { email, role } of people)
      await makeInvitation(trx, { accountId, email, role, inviterId: caller.userId }, cause);
    const { body: read } = await readAccount({ db: trx, graceHours }, request);
    return { status: 200, body: { ...read, invited: people.length }, accountId };
  });
}

async function chosenPeople(trx: Trx, accountId: string, ids?: readonly string[]): Promise<ImportedPerson[]> {
  const people = await importedPeopleOf(trx, accountId);
  if (!ids) return people.filter(({ invited_until }) => invited_until === null).slice(0, atOnce);
  const unknown = ids.findIndex((id) => !people.some(({ person_id }) => person_id === readId('user', id)));
  if (unknown !== -1)
    throw badBody([
      { location: `/person_ids/${unknown}`, message: 'names nobody who was imported and has not joined' },
    ]);
  return people.filter(({ person_id }) => ids.includes(showId('user', person_id)));
}
