import { expect, test } from 'vitest';
import { post, sharedStudio } from '../../test/support/jobs.ts';

test('200: the calendar of the account that the session acts for, without its address', async () => {
  const { service, ada } = await sharedStudio();
  const read = () => service.call('GET', '/api/auth/calendar', { as: ada.token });
  expect((await read()).body).toEqual({ calendar: null });
  const { body } = await post(service, ada.token, '/api/auth/calendar', { with_titles: true });
  expect(await read()).toMatchObject({ status: 200, body: { calendar: body.calendar } });
  expect(JSON.stringify((await read()).body)).not.toContain(body.url.slice(-20));
});
