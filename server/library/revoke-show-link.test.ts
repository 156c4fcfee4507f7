import { beforeAll, expect, test } from 'vitest';
import type { As, Got } from '../../test/support/harness.ts';
import { newCustomer, post, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { finishJob, newShowLink } from '../../test/support/library.ts';
import { readReview } from '../../test/support/review-links.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

async function fresh(): Promise<Studio> {
  const { person, key } = await newCustomer(studio.service, 'studio');
  return { ...studio, ada: person, key };
}

const codeOf = ({ status, body }: Got) => [status, body.error?.code];
const revoke = (of: Studio, id: string, as: As = of.key) => post(of.service, as, `/api/v1/show-links/${id}/revoke`);
const listLinks = async (of: Studio, as: As = of.key) =>
  (await of.service.call('GET', '/api/v1/show-links', { as })).body.show_links;

test('200: revoked at once, and again without another entry of the audit log', async () => {
  const of = await fresh();
  const { job } = await finishJob(of, 'a.png');
  const { body, guest } = await newShowLink(of, { job_ids: [job] });
  const { id } = body.show_link;
  await readReview(of.service, guest);
  expect((await listLinks(of))[0].opened_at).toEqual(expect.any(String));
  const first = await revoke(of, id);
  expect([first.status, first.body.show_link.status]).toEqual([200, 'revoked']);
  expect((await revoke(of, id)).body).toEqual(first.body);
  expect(codeOf(await readReview(of.service, guest))).toEqual([404, 'review_link_not_found']);
  const { body: log } = await of.service.call('GET', `/api/v1/audit?subject=${id}`, { as: of.ada.token });
  expect(log.audit_entries.map(({ action }: { action: string }) => action).toSorted()).toEqual([
    'review_link.created',
    'review_link.opened',
    'review_link.revoked',
  ]);
});

test('404 review_link_not_found: of another account, unknown, or the link of a review', async () => {
  const [of, other] = [await fresh(), await fresh()];
  const { job } = await finishJob(of, 'a.png');
  const { body } = await newShowLink(of, { job_ids: [job] });
  const review = await post(of.service, of.key, `/api/v1/jobs/${job}/review-links`, { name: 'Vera' });
  for (const answer of [
    await revoke(other, body.show_link.id),
    await revoke(of, 'x'),
    await revoke(of, review.body.review_link.id),
  ])
    expect(codeOf(answer)).toEqual([404, 'review_link_not_found']);
  expect(await listLinks(other)).toEqual([]);
  const path = `/api/v1/jobs/${job}/review-links`;
  expect(codeOf(await post(of.service, of.key, `${path}/${body.show_link.id}/revoke`))).toEqual([
    404,
    'review_link_not_found',
  ]);
  expect((await of.service.call('GET', path, { as: of.key })).body.review_links).toHaveLength(1);
  expect((await listLinks(of)).map(({ id }: { id: string }) => id)).toEqual([body.show_link.id]);
});
