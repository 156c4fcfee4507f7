import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { addMember } from '../../test/support/people.ts';
import { newDelivery } from '../../test/support/review.ts';
import { newReviewLink, revoke } from '../../test/support/review-links.ts';
import { forgetLookers } from './looker.ts';
import { showId } from '../lib/id.ts';

const ada = 'Ada Lovelace';
let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const look = (id: string, as = studio.ada.token, looking = true) =>
  studio.service.call('PUT', `/api/v1/jobs/${id}/looking`, { as, body: { looking } });
const lookAsGuest = (guest: { review: string }, body: object = { looking: true, name: 'Vera' }) =>
  studio.service.call('PUT', '/api/v1/review/looking', { as: guest, body });
const changes = async () => {
  const { rows } = await sql<{ comments: string }>`
    select comments from unlogged_changes where account_id = ${studio.ada.accountId}`.execute(
    studio.service.context.db,
  );
  return Number(rows[0]?.comments ?? 0);
};

test('200: members and guests read who looks, each once, until they go; pages are woken when one comes or goes', async () => {
  const { id } = await newDelivery(studio);
  const { guest } = await newReviewLink(studio, id, { can_comment: true });
  const mira = await addMember(studio.service, studio.ada, 'member', 'Mira');
  const before = await changes();
  expect((await look(id)).body.lookers).toEqual([{ kind: 'customer', name: ada, you: true }]);
  await look(id, mira.token);
  await lookAsGuest(guest);
  expect((await look(id)).body.lookers).toEqual([
    { kind: 'customer', name: ada, you: true },
    { kind: 'customer', name: 'Mira', you: false },
    { kind: 'guest', name: 'Vera', you: false },
  ]);
  expect(await changes(), 'not when somebody stays').toBe(before + 3);
  expect((await lookAsGuest(guest)).body.lookers[0]).toEqual({ kind: 'guest', name: 'Vera', you: true });
  await look(id, mira.token, false);
  expect((await lookAsGuest(guest)).body.lookers).toHaveLength(2);
});

test('200: a guest who may not comment reads nobody, and is read without a name', async () => {
  const { id } = await newDelivery(studio);
  const { guest } = await newReviewLink(studio, id);
  await look(id);
  expect((await lookAsGuest(guest)).body.lookers).toEqual([]);
  expect((await look(id)).body.lookers[1]).toEqual({ kind: 'guest', name: '', you: false });
});

test('200: whoever has left the account, is silent, or has a revoked link is not named', async () => {
  const { id } = await newDelivery(studio);
  const link = await newReviewLink(studio, id, { can_comment: true });
  const mira = await addMember(studio.service, studio.ada, 'member');
  await look(id, mira.token);
  await lookAsGuest(link.guest);
  expect((await look(id)).body.lookers).toHaveLength(3);
  await revoke(studio, link);
  const member = `/api/auth/members/${showId('mem', mira.memberId)}`;
  await studio.service.call('DELETE', member, { as: studio.ada.token, body: {} });
  expect((await look(id)).body.lookers).toHaveLength(1);
  const silent = await addMember(studio.service, studio.ada, 'member');
  await look(id, silent.token);
  expect((await look(id)).body.lookers).toHaveLength(2);
  await sql`update review_lookers set seen_at = now() - interval '51 seconds'`.execute(studio.service.context.db);
  expect((await look(id, studio.ada.token, false)).body.lookers).toEqual([]);
  await forgetLookers(studio.service.context.db, new AbortController().signal);
  const { rows } = await sql`select from review_lookers`.execute(studio.service.context.db);
  expect(rows.length).toBe(0);
});

test('401 credential_not_accepted: an API key', async () => {
  const { id } = await newDelivery(studio);
  expect((await look(id, studio.key)).body.error.code).toBe('credential_not_accepted');
});

test('nothing at the desk names who looks', async () => {
  const { id } = await newDelivery(studio);
  const { guest } = await newReviewLink(studio, id, { can_comment: true });
  await lookAsGuest(guest, { looking: true, name: 'Zebedee' });
  const paths = [`/api/operator/v1/jobs/${id}`, `/api/operator/v1/jobs/${id}/comments`, '/api/operator/v1/audit'];
  for (const path of paths) {
    const { body } = await studio.service.call('GET', path, { as: studio.operator.token });
    expect(JSON.stringify(body)).not.toContain('Zebedee');
  }
});
