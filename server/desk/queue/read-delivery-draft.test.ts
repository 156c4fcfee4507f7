import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, newJobIn, type Studio } from '../../../test/support/jobs.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const read = (id: string) =>
  studio.service.call('GET', `/api/operator/v1/jobs/${id}/draft`, { as: studio.operator.token });

test('200: empty before anything is saved', async () => {
  const id = await newJobIn(studio, 'queued');
  const { status, body } = await read(id);
  expect([status, body.draft]).toEqual([200, { message: '', file_ids: [], created_by: null, saved_at: null }]);
});
