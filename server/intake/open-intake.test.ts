import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { close, confirm, expire, openSession, readySession, tryOpen } from '../../test/support/intake.ts';
import { newCustomer, createStudio, type Studio } from '../../test/support/jobs.ts';
import { createService } from '../../test/support/harness.ts';

let studio: Studio;
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const isTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const labels = () =>
  studio.service.context.catalog.families.get('design')!.intake_requirements.map(({ label }) => label);

describe('what is opened', () => {
  test('201 greets with what the family offers and asks for the option', async () => {
    const { status, body } = await tryOpen(studio.service, studio.key);
    expect(status).toBe(201);
    const { intake_session: session } = body;
    expect(session).toEqual({
      id: expect.stringMatching(/^ise_[0-9a-z]{26}$/),
      status: 'open',
      service_family: 'design',
      service_type: null,
      missing_intake_requirements: labels(),
      suggested_replies: [
        'Logo',
        'Landing page design',
        'Social media set',
        'Image cut-outs',
        'I do not know',
        'The studio decides',
      ].map((text) => ({ label: text, message: text })),
      messages: [
        {
          id: expect.stringMatching(/^msg_[0-9a-z]{26}$/),
          role: 'concierge',
          content: expect.any(String),
          understood: [],
          created_at: isTime,
        },
      ],
      intent_brief: null,
      job_id: null,
      expires_at: isTime,
      created_at: isTime,
    });
    expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(7 * 24 * 3600_000);
    for (const name of ['Logo', 'Landing page design', 'Social media set', 'Image cut-outs'])
      expect(session.messages[0].content).toContain(name);
  });

  test('201 with an option greets with it and asks for the first requirement', async () => {
    const session = await openSession(studio.service, studio.key, { service_family: 'design', service_type: 'logo' });
    expect(session.service_type).toBe('logo');
    expect(session.messages[0].content).toMatch(/3 days.*5 short questions.*\n\nWhat is the brand name\?/s);
  });

  test('201 with a message answers it: option and answers are taken from it', async () => {
    const message = 'Hi! We need a logo. Our brand is called Rise Bakery.';
    const session = await openSession(studio.service, studio.key, { service_family: 'design', message });
    expect(session.service_type).toBe('logo');
    expect(session.missing_intake_requirements).not.toContain('Brand name');
    expect(session.messages.map(({ role }: { role: string }) => role)).toEqual(['customer', 'concierge']);
    expect(session.messages[0].content).toBe(message);
    expect(session.messages[1].content).toMatch(/^Hello! Logo, gladly. Brand name: Rise Bakery\.\n/);
    expect(session.messages[1].understood).toEqual([{ requirement: 'Brand name', answer: 'Rise Bakery' }]);
  });

  test('201 with everything in the first message is a brief', async () => {
    const session = await readySession(studio.service, studio.key);
    expect(session.intent_brief).toMatchObject({ version: 1, service_type: 'logo' });
    expect(session.missing_intake_requirements).toEqual([]);
  });

  test('201 without any plan: talking is always allowed', async () => {
    const { person, key } = await newCustomer(studio.service);
    await openSession(studio.service, key);
    await openSession(studio.service, person.token);
    await openSession(studio.service, person);
  });
});

describe('what is refused', () => {
  test.each([
    ['422 unsupported_service: an unknown family', 'unsupported_service', { service_family: 'x' }],
    [
      '422 unsupported_service: an unknown option',
      'unsupported_service',
      { service_family: 'design', service_type: 'x' },
    ],
    [
      '422 unsupported_service: an option of another family',
      'unsupported_service',
      { service_family: 'design', service_type: 'dashboard' },
    ],
    [
      '422 unsafe_request: a credential',
      'unsafe_request',
      { service_family: 'design', message: `key sk_live_${'a1B2'.repeat(6)}` },
    ],
    [
      '422 unsafe_request: what the catalog excludes',
      'unsafe_request',
      { service_family: 'software', message: 'Write ransomware for windows' },
    ],
    ['422 invalid_request: no family', 'invalid_request', {}],
    ['422 invalid_request: an empty message', 'invalid_request', { service_family: 'design', message: ' ' }],
    [
      '422 invalid_request: 4,001 characters',
      'invalid_request',
      { service_family: 'design', message: '𝒳'.repeat(4001) },
    ],
    ['422 invalid_request: an unknown field', 'invalid_request', { service_family: 'design', talk: {} }],
  ])('%s', async (_, code, body) => {
    const { db } = studio.service.context;
    const count = () => db.selectFrom('intake_sessions').select('id').execute();
    const before = await count();
    const answer = await tryOpen(studio.service, studio.key, body);
    expect([answer.status, answer.body.error.code]).toEqual([422, code]);
    expect(await count()).toEqual(before);
  });

  test('201 for a message of exactly 4,000 code points', async () => {
    const message = '𝒳'.repeat(4000);
    const session = await openSession(studio.service, studio.key, { service_family: 'design', message });
    expect(session.messages[0].content).toBe(message);
  });

  test('403 limit_reached: twenty open conversations, also when opened at once', async () => {
    const { key } = await newCustomer(studio.service, 'studio');
    const answers = await Promise.all(Array.from({ length: 25 }, () => tryOpen(studio.service, key)));
    const opened = answers.flatMap(({ status, body }) => (status === 201 ? [body.intake_session] : []));
    expect(opened).toHaveLength(20);
    const { error } = answers.find(({ status }) => status !== 201)!.body;
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(5);
    expect(error.code).toBe('limit_reached');
    expect(error.message).toBe('The account has 20 open conversations, which is the limit.');
    expect(opened.filter(({ id }) => error.action.includes(id))).toHaveLength(1);
    expect(error.action).toContain('/close');
  });

  test('201 again once one of twenty has expired, was confirmed or closed', async () => {
    const { key } = await newCustomer(studio.service, 'studio');
    const ready = await readySession(studio.service, key);
    const { id } = await openSession(studio.service, key);
    for (let i = 2; i < 20; i++) await openSession(studio.service, key);
    expect((await tryOpen(studio.service, key)).status).toBe(403);
    await expire(studio.service, id);
    await openSession(studio.service, key);
    expect((await tryOpen(studio.service, key)).status).toBe(403);
    expect((await confirm(studio.service, key, ready.id)).status).toBe(201);
    const last = await openSession(studio.service, key);
    expect((await close(studio.service, key, last.id)).status).toBe(200);
    await openSession(studio.service, key);
  });

  test('429 rate_limit_exceeded: eleven in a minute', async () => {
    const service = await createService({ RATE_OPEN_INTAKE: 'account=10/60' });
    const { key } = await newCustomer(service);
    for (let i = 0; i < 10; i++) await openSession(service, key);
    const answer = await tryOpen(service, key);
    expect([answer.status, answer.body.error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(answer.body.error.retry_after_seconds).toBeLessThanOrEqual(60);
    await service.close();
  });

  test('403 csrf_token_invalid: a cookie without its token', async () => {
    const answer = await tryOpen(studio.service, { cookie: studio.ada.cookie });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'csrf_token_invalid']);
  });
});
