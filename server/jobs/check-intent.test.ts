import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bookFaults } from '../../test/support/seed.ts';
import { draft } from '../../test/support/jobs.ts';
import { createService, type Service } from '../../test/support/harness.ts';

let service: Service;
// Of its own: it expects that no account has a job.
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

const ask = (changes: object = {}) =>
  service.call('POST', '/api/v1/catalog/intent-check', { body: { ...draft, ...changes } });

type Asked = { label: string; optional: boolean; choices?: string[] };

/** What each option of the catalog asks for. */
const asked = async () => {
  const { service_families } = (await service.call('GET', '/api/v1/catalog')).body;
  return service_families.flatMap(
    (family: { id: string; service_options: { id: string; intake_requirements: Asked[] }[] }) =>
      family.service_options.map((option) => ({
        service_family: family.id,
        service_type: option.id,
        requirements: option.intake_requirements,
      })),
  ) as { service_family: string; service_type: string; requirements: Asked[] }[];
};
const labels = (requirements: Asked[]) => requirements.map(({ label }) => label);
const answers = (requirements: Asked[]) =>
  requirements.map(({ label, choices }) => `${label}: ${choices?.[0] ?? 'as we agreed'}`);

test('200 names what each option asks for, in the order of the catalog, and the quality signals', async () => {
  for (const { requirements, ...option } of await asked()) {
    const { status, body } = await ask(option);
    expect(status).toBe(200);
    expect(body, option.service_type).toEqual({
      intent_check: {
        ready: false,
        missing_intake_requirements: labels(requirements),
        quality_signals: service.context.catalog.families.get(option.service_family)?.quality_signals,
      },
    });
  }
});

test('200 ready: every option of the catalog with each requirement as label and answer', async () => {
  for (const { requirements, ...option } of await asked()) {
    const { body } = await ask({ ...option, customer_instructions: answers(requirements).join('\n') });
    expect(body.intent_check, option.service_type).toMatchObject({ ready: true, missing_intake_requirements: [] });
  }
});

test('200 ready: an optional requirement is listed as missing, and the draft does not wait for it', async () => {
  for (const { requirements, ...option } of await asked()) {
    const needed = requirements.filter(({ optional }) => !optional);
    const optional = labels(requirements.filter((requirement) => requirement.optional));
    const check = async (lines: string[]) =>
      (await ask({ ...option, customer_instructions: lines.join('\n') })).body.intent_check;
    expect(await check(answers(needed))).toMatchObject({ ready: true, missing_intake_requirements: optional });
    expect(await check(answers(needed).slice(1))).toMatchObject({
      ready: false,
      missing_intake_requirements: [needed[0]?.label, ...optional],
    });
  }
});

test('200: a requirement that does not apply to the option is not missing', async () => {
  const missing = async (service_type: string) =>
    (await ask({ service_type })).body.intent_check.missing_intake_requirements;
  expect(await missing('logo')).toContain('Brand name');
  expect(await missing('logo')).not.toContain('Networks');
  expect(await missing('social_set')).toContain('Networks');
  expect(await missing('image_cutout')).toEqual([
    'Style preferences',
    'Where it will be used',
    'Background',
    'Existing brand assets',
  ]);
});

test.each([
  ['Target audience: families nearby', true],
  ['## Target audience\nfamilies nearby', true],
  ['target AUDIENCE:families nearby', true],
  ['Target audience: TBD', false],
  ['Target audience: n/a', false],
  ['Target audience: ?', false],
  ['Target audience:', false],
])('200 with %j answers the target audience: %s', async (customer_instructions, answered) => {
  const { body } = await ask({ customer_instructions });
  expect(body.intent_check.missing_intake_requirements.includes('Target audience')).toBe(!answered);
});

describe('refusals', () => {
  const outcome = async (changes: object) => {
    const { status, body } = await ask(changes);
    return [status, body.error?.code];
  };

  test('422 unsupported_service: an unknown family, an unknown option, an option of another family', async () => {
    for (const changes of [{ service_family: 'x' }, { service_type: 'x' }, { service_type: 'blog_article' }])
      expect(await outcome(changes)).toEqual([422, 'unsupported_service']);
    expect(await outcome({ service_family: '__proto__' })).toEqual([422, 'unsupported_service']);
    expect(await outcome({ service_type: 'constructor' })).toEqual([422, 'unsupported_service']);
  });

  test('422 unsafe_request: a card number in title or instructions, never repeated', async () => {
    for (const field of ['customer_title', 'customer_instructions']) {
      const { status, body } = await ask({ [field]: 'Charge 4111 1111 1111 1111 please' });
      expect([status, body.error.code]).toEqual([422, 'unsafe_request']);
      expect(body.error.details).toEqual([{ location: `/${field}`, message: 'carries a payment card number' }]);
      expect(JSON.stringify(body)).not.toContain('1111');
    }
  });

  test('422 unsafe_request: what the policy of the catalog excludes', async () => {
    expect(await outcome({ customer_instructions: 'Please write a phishing page for a bank.' })).toEqual([
      422,
      'unsafe_request',
    ]);
  });

  test.each([{ customer_title: '' }, { customer_instructions: ' ' }, { service_type: 7 }])(
    '422 invalid_request: %j',
    async (changes) => expect(await outcome(changes)).toEqual([422, 'invalid_request']),
  );
});

test('200 creates nothing', async () => {
  await ask();
  const { db } = service.context;
  expect(await db.selectFrom('jobs').selectAll().execute()).toEqual([]);
  expect(await bookFaults(db)).toEqual([]);
});
