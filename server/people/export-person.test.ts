import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { newCustomer, newJob } from '../../test/support/jobs.ts';
import { noteTime } from '../../test/support/makers-hours.ts';
import { comment, newDelivery } from '../../test/support/review.ts';
import { say, sayAtDesk } from '../../test/support/talk.ts';
import { addMember, makeKey, makeOperator, signUp } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

test('200: with what they wrote about jobs, and not what others wrote', async () => {
  const { person: ada, key } = await newCustomer(service, 'studio');
  const studio = { service, ada, key, operator: await makeOperator(service) };
  const id = await newJob(service, studio.ada.token);
  await say(studio, id, 'Rounder, please.', {}, studio.ada.token);
  await say(studio, id, 'From a key.');
  await sayAtDesk(studio, id, 'It will be.');
  const delivery = await newDelivery(studio);
  await comment(studio, delivery, 'This letter.', undefined, studio.ada.token);
  await comment(studio, delivery, 'From a key.');
  const maker = { ...studio, operator: await makeOperator(service, 'maker') };
  for (const who of [studio, maker]) await noteTime(who, id, { words: 'Sketches' });
  const { body } = await service.call('GET', '/api/auth/export', { as: studio.ada.token });
  expect(body.comments).toMatchObject([{ job_id: delivery.id, text: 'This letter.' }]);
  expect(body.messages).toMatchObject([{ job_id: id, text: 'Rounder, please.' }]);
  expect(body.noted_times).toEqual([]);
  const { body: ofMaker } = await service.call('GET', '/api/auth/export', { as: maker.operator.token });
  expect(ofMaker.noted_times).toMatchObject([{ job_id: id, minutes: 90, words: 'Sketches' }]);
});

test('200: what is theirs, and no secret and nothing of others', async () => {
  const [olga, eve] = [await signUp(service, 'Olga'), await signUp(service, 'Eve')];
  const admin = await addMember(service, olga, 'admin');
  const key = await makeKey(service, admin);
  await makeKey(service, olga);
  const invited = { email: 'friend@example.com', role: 'member' };
  await service.call('POST', '/api/auth/invitations', { as: admin.token, body: invited });
  const { status, body } = await service.call('GET', '/api/auth/export', { as: admin.token });
  expect(status).toBe(200);
  expect(body.user).toMatchObject({ email: admin.email, second_factor: false });
  expect(body.memberships).toMatchObject([
    { account: { name: 'The admin' }, role: 'owner' },
    { account: { name: 'Olga' }, role: 'admin' },
  ]);
  expect(body.sessions).toMatchObject([{ current: true }]);
  expect(body.invitations_sent).toMatchObject([invited]);
  expect(body.operator_invitations_sent).toEqual([]);
  expect(body.api_keys).toMatchObject([{ name: 'test key', prefix: key.split('_')[1] }]);
  const text = JSON.stringify(body);
  for (const other of [olga.email, eve.email, key.split('_')[2], admin.token.split('.')[0]])
    expect(text).not.toContain(other);
});
