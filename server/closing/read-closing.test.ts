import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, newCustomer, newJob, type Studio } from '../../test/support/jobs.ts';
import { addMember } from '../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

test('200: what prevents closing, and what would end', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  await addMember(studio.service, person, 'member');
  await newJob(studio.service, key);
  const { status, body } = await studio.service.call('GET', '/api/auth/account/closing', { as: person.token });
  expect(status).toBe(200);
  expect(body.closing).toEqual({
    possible: false,
    running_plans: 1,
    jobs_to_review: [],
    ends: { open_jobs: 1, other_members: 1, api_keys: 1, webhook_endpoints: 0, files: 0 },
  });
});
