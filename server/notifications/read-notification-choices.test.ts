import { beforeAll, expect, test } from 'vitest';
import { notificationKinds } from '../../contract/notifications.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { makeOperator, signUp } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const read = async (as: string) =>
  (await service.call('GET', '/api/auth/notification-choices', { as })).body.notification_choices;

test('200: every kind with its usual choice, those of the desk only for operators', async () => {
  const all = Object.entries(notificationKinds).map(([kind, { usually, ...about }]) => ({
    kind,
    ...about,
    mail: usually,
  }));
  expect(await read((await signUp(service)).token)).toEqual(all.filter(({ side }) => side === 'customer'));
  expect(await read((await makeOperator(service)).token)).toEqual(all);
});
