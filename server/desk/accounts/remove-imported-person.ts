import type { removeImportedPerson as endpoint } from '../../../contract/desk/imported-people.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { type Db, lockCounters, transact } from '../../db/pool.ts';
import { Refusal } from '../../http/refusal.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { readId } from '../../lib/id.ts';
import { endImportedInvitations, forgetIn, importedPeopleOf } from '../../members/imported-person.ts';
import { membersOf } from '../../members/member.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';
import { deskAccountUuid, unknownAccount } from './desk-account.ts';
import { readAccount } from './read-account.ts';

/** An account keeps an owner, who has joined or can. */
export async function removeImportedPerson(
  { db, graceHours }: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, cause } = request;
  const accountId = deskAccountUuid(params.id);
  const id = readId('user', params.person_id);
  await transact(db, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    if ((await lockCounters(trx, accountId)).length === 0) throw unknownAccount();
    const people = await importedPeopleOf(trx, accountId);
    const person = people.find(({ person_id }) => person_id === id);
    if (!person) throw notImported();
    const left = [...(await membersOf(trx, accountId).execute()), ...people.filter((other) => other !== person)];
    if (!left.some(({ role }) => role === 'owner')) throw lastOwner();
    await endImportedInvitations(trx, { accountId, emails: [person.email] }, cause);
    await forgetIn(trx, accountId, person.person_id);
    await appendAudit(trx, cause, { action: 'account.imported_person_removed', subject: params.person_id, accountId });
  });
  return readAccount({ db, graceHours }, request);
}

const notImported = () =>
  new Refusal('member_not_found', {
    message: 'There is no such imported person who has not joined.',
    action: 'GET /api/operator/v1/accounts/{id} lists them. If they have joined, only the account removes them.',
  });

const lastOwner = () =>
  new Refusal('invalid_request', {
    message: 'The account would be left without an owner.',
    action: 'Invite its owner, or erase the customer: npm run admin -- import erase',
  });
