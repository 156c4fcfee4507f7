import { expect, test } from 'vitest';
import { post, sharedStudio } from '../../test/support/jobs.ts';

test('200: the address ends at once; a second time changes nothing', async () => {
  const { service, ada } = await sharedStudio();
  const { body } = await post(service, ada.token, '/api/auth/calendar', {});
  const end = () => service.call('DELETE', '/api/auth/calendar', { as: ada.token });
  expect(await end()).toMatchObject({ status: 200, body: { done: true } });
  expect((await service.call('GET', new URL(body.url).pathname)).status).toBe(404);
  expect((await end()).status).toBe(200);
});
