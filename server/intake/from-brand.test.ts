import { beforeAll, expect, test } from 'vitest';
import { putBrand } from '../../test/support/brand.ts';
import type { Service } from '../../test/support/harness.ts';
import { confirm, openSession } from '../../test/support/intake.ts';
import { sharedStudio, newCustomer, post } from '../../test/support/jobs.ts';

let service: Service;
beforeAll(async () => void ({ service } = await sharedStudio()));

const kit = [
  { label: 'brand NAME', text: 'Rise Bakery' },
  { label: 'Colours', text: 'Dark green\nand cream' },
  { label: 'Tone of voice', text: 'Warm and plain' },
];
const fromKit = { requirement: 'Brand name', answer: 'Rise Bakery', span: 'Rise Bakery', by: 'brand' };
const colours = { requirement: 'Style preferences', answer: 'Dark green\nand cream', by: 'brand' };

async function keyWithKit(facts = kit, ...plans: 'studio'[]): Promise<string> {
  const { key } = await newCustomer(service, ...plans);
  expect((await putBrand(service, key, { facts })).status).toBe(200);
  return key;
}
const open = (key: string, message?: string, service_type: string | null = 'logo') =>
  openSession(service, key, {
    service_family: 'design',
    ...(service_type ? { service_type } : {}),
    ...(message ? { message } : {}),
  });
const update = async (key: string, id: string, body: object) =>
  (await service.call('PATCH', `/api/v1/intake/sessions/${id}`, { as: key, body })).body.intake_session;
const answer = async (key: string, id: string, body: object) =>
  (await post(service, key, `/api/v1/intake/sessions/${id}/answers`, body)).body.intake_session;

test('facts of the kit are suggested for the requirements that name them, and are no answers', async () => {
  const session = await open(await keyWithKit());
  expect(session.suggestions).toMatchObject([fromKit, colours]);
  expect(session.answers).toEqual([]);
});

test('what the text says comes before the kit; the reply says which is which', async () => {
  const session = await open(await keyWithKit(), 'We need a logo. Our bakery is called Crumb & Co.');
  expect(session.suggestions).toMatchObject([{ requirement: 'Brand name', by: 'pattern' }, colours]);
  const [, reply] = session.messages;
  expect(reply.content).toContain(
    'I found this in your brand kit. It counts once you accept it:\nStyle preferences: “Dark green',
  );
});

test('an accepted fact is an answer of the source brand; a dismissed one does not return', async () => {
  const key = await keyWithKit();
  const { id } = await open(key);
  await answer(key, id, { requirement: 'Brand name', accept: true });
  expect((await answer(key, id, { requirement: 'Brand name', accept: true })).answers).toEqual([
    { requirement: 'Brand name', answer: 'Rise Bakery', source: 'brand' },
  ]);
  await answer(key, id, { requirement: 'Style preferences', accept: false });
  expect((await update(key, id, { words: 'Something with rye.' })).suggestions).toEqual([]);
});

test('another service takes the facts that it asks for', async () => {
  const key = await keyWithKit();
  const { id } = await open(key, undefined, 'image_cutout');
  expect((await update(key, id, { service_type: 'logo' })).suggestions).toMatchObject([fromKit, colours]);
  expect((await update(key, id, { service_family: 'writing' })).suggestions).toMatchObject([
    { requirement: 'Tone of voice', answer: 'Warm and plain', by: 'brand' },
  ]);
});

test('a fact that is no answer of the kind is not suggested', async () => {
  const session = await open(await keyWithKit([{ label: 'Brand name', text: 'x'.repeat(61) }]));
  expect(session.suggestions).toEqual([]);
});

test('a question that the kit answers is not open: the brief says to see the kit', async () => {
  const key = await keyWithKit();
  const { id, version } = await open(key);
  const left = await answer(key, id, { requirement: 'Brand name', open: true });
  expect(left).toMatchObject({ version: version + 1, suggestions: [fromKit, colours] });
  await answer(key, id, { requirement: 'Style preferences', accept: false });
  for (const requirement of ['Style preferences', 'Target audience', 'Where it will be used'])
    await answer(key, id, { requirement, open: true });
  const { intent_brief } = await update(key, id, { words: 'Something with rye.' });
  expect(intent_brief.customer_instructions.split('\n').slice(0, 3)).toEqual([
    'Brand name: see brand kit',
    'Target audience: open (the customer has not answered)',
    'Style preferences: open (the customer has not answered)',
  ]);
});

test('a draft without the kit suggests nothing of it, and its job gets no copy', async () => {
  const key = await keyWithKit(kit, 'studio');
  const { id, brand_kit } = await open(key);
  expect(brand_kit).toBe(true);
  expect(await update(key, id, { brand_kit: false })).toMatchObject({ brand_kit: false, suggestions: [] });
  expect((await update(key, id, { words: 'Something with rye.' })).suggestions).toEqual([]);
  expect((await update(key, id, { brand_kit: true })).suggestions).toMatchObject([fromKit, colours]);
  await update(key, id, { brand_kit: false });
  for (const requirement of ['Brand name', 'Target audience', 'Style preferences', 'Where it will be used'])
    await answer(key, id, { requirement, open: true });
  const { status, body } = await confirm(service, key, id);
  expect(status).toBe(201);
  const copy = await service.call('GET', `/api/v1/jobs/${body.job.id}/brand`, { as: key });
  expect(copy.body).toEqual({ brand: null });
});
