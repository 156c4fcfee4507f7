import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { addMember, signUp } from '../../test/support/people.ts';
import { letStudioOrder } from '../../test/support/studio-orders.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

test('200: off for a new account; owners and admins read the choice', async () => {
  const ada = await signUp(studio.service);
  const admin = await addMember(studio.service, ada, 'admin');
  const read = async () =>
    (await studio.service.call('GET', '/api/auth/account/studio-orders', { as: admin.token })).body.studio_orders;
  expect(await read()).toEqual({ allowed: false });
  await letStudioOrder(studio.service, ada);
  expect(await read()).toEqual({ allowed: true });
});
