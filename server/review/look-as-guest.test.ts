import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { newDelivery } from '../../test/support/review.ts';
import { newReviewLink, revoke } from '../../test/support/review-links.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const lookAsGuest = (guest: { review: string }, name: string, looking = true) =>
  studio.service.call('PUT', '/api/v1/review/looking', { as: guest, body: { looking, name } });

test('200: guests of one link are told apart by their names', async () => {
  const { id } = await newDelivery(studio);
  const { guest } = await newReviewLink(studio, id, { can_comment: true });
  await lookAsGuest(guest, 'Vera');
  await lookAsGuest(guest, 'Vera');
  expect((await lookAsGuest(guest, 'Otto')).body.lookers).toEqual([
    { kind: 'guest', name: 'Otto', you: true },
    { kind: 'guest', name: 'Vera', you: false },
  ]);
  expect((await lookAsGuest(guest, 'Otto', false)).body.lookers).toHaveLength(1);
});

test('404 review_link_not_found: a revoked link', async () => {
  const { id } = await newDelivery(studio);
  const link = await newReviewLink(studio, id);
  await revoke(studio, link);
  expect((await lookAsGuest(link.guest, 'Vera')).body.error.code).toBe('review_link_not_found');
});
