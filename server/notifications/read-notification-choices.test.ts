import { beforeAll, expect, test } from 'vitest';
import { kindNames, kindOf } from '../../contract/people/notifications.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { makeOperator, signUp } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const read = async (as: string) =>
  (await service.call('GET', '/api/auth/notification-choices', { as })).body.notification_choices;

test('200: every kind with its usual choice, those of the desk only for operators', async () => {
  const all = kindNames.map((kind) => {
    const { side, says, usually: mail } = kindOf(kind);
    return { kind, side, says, mail };
  });
  expect(await read((await signUp(service)).token)).toEqual(all.filter(({ side }) => side === 'customer'));
  expect(await read((await makeOperator(service)).token)).toEqual(all);
  // A lead reads payments, but only an owner can mend them.
  const ofLead = all.filter(({ kind }) => kind !== 'payment_needs_look' && kind !== 'customer_plan');
  expect(await read((await makeOperator(service, 'lead')).token)).toEqual(ofLead);
});
