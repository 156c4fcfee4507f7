import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, newJobIn, type Studio } from '../../test/support/jobs.ts';
import { unreadOf } from '../../test/support/notifications.ts';
import { addMember } from '../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

test('200: what the person has not seen, counted for each side', async () => {
  const member = await addMember(studio.service, studio.ada, 'member');
  await newJobIn({ ...studio, key: member.token }, 'rejected');
  const counts = [await unreadOf(studio.service, member), await unreadOf(studio.service, member, 'studio')];
  expect(counts).toEqual([1, 0]);
});

test('400 invalid_request: an unknown side', async () => {
  const path = '/api/auth/notifications/unread?side=both';
  const { status, body } = await studio.service.call('GET', path, { as: studio.ada.token });
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
