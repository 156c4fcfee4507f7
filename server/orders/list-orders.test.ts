import { beforeAll, expect, test } from 'vitest';
import { newCustomer, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { addMaker, confirm, newOrder } from '../../test/support/orders.ts';
import { addMember } from '../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

test('200: newest first, by pages and by status; members see them, reviewers do not', async () => {
  const { service } = studio;
  const { person: owner } = await newCustomer(service, 'studio');
  const maker = await addMaker(service, owner);
  const [first, second, third] = [
    await newOrder(service, maker),
    await newOrder(service, maker),
    await newOrder(service, maker),
  ];
  await confirm(service, owner.token, second);
  const list = async (query: string, as = owner.token) => {
    const { body } = await service.call('GET', `/api/v1/orders${query}`, { as });
    return { ids: body.orders?.map(({ id }: { id: string }) => id), cursor: body.next_cursor, error: body.error?.code };
  };
  expect((await list('')).ids).toEqual([third, second, first]);
  const page = await list('?limit=2');
  expect(page.ids).toEqual([third, second]);
  expect((await list(`?limit=2&cursor=${page.cursor}`)).ids).toEqual([first]);
  expect((await list('?status=waiting', maker.token)).ids).toEqual([third, first]);
  expect((await list('?status=confirmed,declined')).ids).toEqual([second]);
  const reviewer = await addMember(service, owner, 'reviewer');
  expect((await list('', reviewer.token)).error).toBe('role_required');
});

test('400 invalid_request: an unknown status, and the cursor of another list', async () => {
  const { service, ada } = studio;
  for (const query of ['?status=lost', '?cursor=x']) {
    const { status, body } = await service.call('GET', `/api/v1/orders${query}`, { as: ada.token });
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  }
});
