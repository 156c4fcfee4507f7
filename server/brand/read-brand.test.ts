import { beforeAll, expect, test } from 'vitest';
import { facts, getBrand, newBrand, putBrand } from '../../test/support/brand.ts';
import { someBytes } from '../../test/support/files.ts';
import { sharedStudio, newCustomer, type Studio } from '../../test/support/jobs.ts';
import { addMember, goodPassword, makeKey } from '../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

test('200: an account that never changed it has an empty one', async () => {
  const { status, body } = await getBrand(studio.service, (await newCustomer(studio.service)).key);
  expect([status, body]).toEqual([
    200,
    { brand: { facts: [], file_ids: [], files: [], version: 0, updated_at: null, updated_by: null } },
  ]);
});

test('200: a member and a key that may only read see all of it, another account nothing', async () => {
  const { service, ada } = studio;
  const { id } = await newBrand(service, ada.token, someBytes());
  const member = await addMember(service, ada, 'member');
  for (const as of [member.token, await makeKey(service, ada, ['api:read'])])
    expect((await getBrand(service, as)).body.brand).toMatchObject({
      facts,
      file_ids: [id],
      files: [{ id, status: 'uploaded' }],
      version: 1,
      updated_by: { kind: 'user', name: 'Ada Lovelace' },
    });
  expect((await getBrand(service, (await newCustomer(service)).key)).body.brand.facts).toEqual([]);
});

test('200: a change of somebody who deleted themselves, without their name', async () => {
  const { service } = studio;
  const { person, key } = await newCustomer(service);
  const admin = await addMember(service, person, 'admin');
  expect((await putBrand(service, admin.token)).status).toBe(200);
  const body = { password: goodPassword };
  expect((await service.call('POST', '/api/auth/delete', { as: admin.token, body })).status).toBe(200);
  const { brand } = (await getBrand(service, key)).body;
  expect(brand).toMatchObject({ facts, updated_by: { kind: 'user', name: 'Deleted person' } });
});
