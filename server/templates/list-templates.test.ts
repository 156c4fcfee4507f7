import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, newCustomer, type Studio } from '../../test/support/jobs.ts';
import { addMember, makeKey } from '../../test/support/people.ts';
import { listTemplates, saveTemplate } from '../../test/support/templates.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

test('200: those of the account, newest first, for members and keys that may only read', async () => {
  const { service, ada } = studio;
  const names = ['One', 'Two', 'Three'];
  for (const name of names) await saveTemplate(service, ada.token, { name });
  const member = await addMember(service, ada, 'member');
  for (const as of [member.token, await makeKey(service, ada, ['api:read'])]) {
    const { status, body } = await listTemplates(service, as);
    expect(status).toBe(200);
    expect(body.templates.map(({ name }: { name: string }) => name)).toEqual(names.toReversed());
  }
  expect((await listTemplates(service, (await newCustomer(service)).key)).body.templates).toEqual([]);
});

test('the export of a person has those that they wrote', async () => {
  const { service } = studio;
  const { person, key } = await newCustomer(service);
  const answers = [{ requirement: 'Brand name', answer: 'Rise' }];
  await saveTemplate(service, person.token, { name: 'Mine', answers, words: 'As always.' });
  await saveTemplate(service, key, { name: 'Of the key' });
  const { body } = await service.call('GET', '/api/auth/export', { as: person.token });
  expect(body.templates).toMatchObject([{ name: 'Mine', answers, words: 'As always.' }]);
  expect(body.templates).toHaveLength(1);
});
