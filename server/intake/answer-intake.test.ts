import { beforeAll, describe, expect, test } from 'vitest';
import { answer, close, openSession, readSession, readySession } from '../../test/support/intake.ts';
import { sharedStudio, newCustomer, type Studio } from '../../test/support/jobs.ts';
import { createService } from '../../test/support/harness.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const message = 'We are called Hollow Oak Cider. It is meant for people who like dry cider.';
const logo = { service_family: 'design', service_type: 'logo', message };

describe('what is set', () => {
  test('200 answer: it counts, replaces a suggestion, and makes a new version without a message', async () => {
    const { service, key } = studio;
    const opened = await openSession(service, key, logo);
    const { status, body } = await answer(service, key, opened.id, {
      requirement: 'Brand name',
      answer: ' Hollow Oak ',
    });
    expect(status).toBe(200);
    const { intake_session: session } = body;
    expect(session.answers).toEqual([{ requirement: 'Brand name', answer: 'Hollow Oak', source: 'typed' }]);
    expect(session.suggestions).toMatchObject([{ requirement: 'Target audience' }]);
    expect(session.version).toBe(opened.version + 1);
    expect(session.messages).toEqual(opened.messages);
  });

  test('200 accept: true makes the suggestion the answer, and says so; a repeat changes nothing', async () => {
    const { service, key } = studio;
    const { id } = await openSession(service, key, logo);
    const body = { requirement: 'Target audience', accept: true };
    const first = await answer(service, key, id, body);
    expect(first.body.intake_session.answers).toEqual([
      { requirement: 'Target audience', answer: 'people who like dry cider', source: 'accepted' },
    ]);
    const again = await answer(service, key, id, body);
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  test('200 accept: false after accept: true takes it back: the answer is a suggestion again', async () => {
    const { service, key } = studio;
    const opened = await openSession(service, key, logo);
    const field = { requirement: 'Target audience' };
    await answer(service, key, opened.id, { ...field, accept: true });
    const { body } = await answer(service, key, opened.id, { ...field, accept: false });
    expect(body.intake_session).toMatchObject({ answers: [], suggestions: opened.suggestions });
    const { body: after } = await answer(service, key, opened.id, { ...field, accept: true });
    expect(after.intake_session.answers).toMatchObject([{ ...field, source: 'accepted' }]);
  });

  test('200 accept: false dismisses the suggestion, and it does not come back', async () => {
    const { service, key } = studio;
    const { id, words } = await openSession(service, key, logo);
    const { body } = await answer(service, key, id, { requirement: 'Brand name', accept: false });
    expect(body.intake_session).toMatchObject({
      answers: [],
      suggestions: [{ requirement: 'Target audience' }],
      words,
    });
  });

  test('200 open: true leaves it to the studio; with every field settled the brief is ready', async () => {
    const { service, key } = studio;
    const { id, missing_intake_requirements: labels } = await openSession(service, key, logo);
    let session;
    for (const requirement of labels)
      ({ intake_session: session } = (await answer(service, key, id, { requirement, open: true })).body);
    expect(session).toMatchObject({ status: 'brief_ready', answers: [], suggestions: [], open_requirements: labels });
    expect(session.missing_intake_requirements).toEqual(labels);
    expect(session.intent_brief.customer_instructions).toContain('Brand name: open (the customer has not answered)');
    expect(session.intent_brief.customer_instructions).toContain(message);
  });

  test('200 to a ready brief: what changed is in its next version', async () => {
    const { service, key } = studio;
    const ready = await readySession(service, key);
    const { body } = await answer(service, key, ready.id, {
      requirement: 'Style preferences',
      answer: 'warm\n- no wheat',
    });
    const { intent_brief: brief } = body.intake_session;
    expect(brief.version).toBe(ready.intent_brief.version + 1);
    expect(brief.customer_instructions).toContain('Style preferences: warm\n- no wheat\n');
    expect(brief.answered_requirements).toContainEqual({
      requirement: 'Style preferences',
      answer: 'warm\n- no wheat',
    });
  });

  test('200 for fields set at once: none is lost', async () => {
    const { service, key } = studio;
    const { id, missing_intake_requirements: labels } = await openSession(service, key, logo);
    await Promise.all(
      labels.map((requirement: string) => answer(service, key, id, { requirement, answer: requirement })),
    );
    const { body } = await readSession(service, key, id);
    expect(body.intake_session.answers.map(({ requirement }: { requirement: string }) => requirement)).toEqual(labels);
  });
});

describe('what is refused changes nothing', () => {
  test.each<[string, object, string, string]>([
    ['neither answer nor accept nor open', { requirement: 'Brand name' }, '/', 'needs exactly one'],
    ['two of them', { requirement: 'Brand name', answer: 'x', open: true }, '/', 'needs exactly one'],
    [
      'a requirement of another family',
      { requirement: 'Research question', open: true },
      '/requirement',
      'is not a requirement',
    ],
    [
      'a name of 61 characters',
      { requirement: 'Brand name', answer: '𝒳'.repeat(61) },
      '/answer',
      'at most 60 characters',
    ],
    ['no suggestion to accept', { requirement: 'Style preferences', accept: true }, '/accept', 'no suggestion'],
    ['white space', { requirement: 'Brand name', answer: ' ' }, '/answer', 'blank'],
  ])('422 invalid_request: %s', async (_, body, location, message) => {
    const { service, key } = studio;
    const opened = await openSession(service, key, logo);
    const refused = await answer(service, key, opened.id, body);
    expect([refused.status, refused.body.error.code]).toEqual([422, 'invalid_request']);
    expect(refused.body.error.details).toMatchObject([{ location, message: expect.stringContaining(message) }]);
    expect((await readSession(service, key, opened.id)).body.intake_session).toEqual(opened);
  });

  test('422 unsafe_request: a credential', async () => {
    const { service, key } = studio;
    const { id } = await openSession(service, key, logo);
    const body = { requirement: 'Style preferences', answer: `sk_live_${'a1B2'.repeat(6)}` };
    const refused = await answer(service, key, id, body);
    expect([refused.status, refused.body.error.code]).toEqual([422, 'unsafe_request']);
  });

  test('409 intake_session_conflict: closed', async () => {
    const { service, key } = studio;
    const { id } = await openSession(service, key, logo);
    await close(service, key, id);
    const refused = await answer(service, key, id, { requirement: 'Brand name', open: true });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'intake_session_conflict']);
  });

  test('429 rate_limit_exceeded: counted with all changes of drafts', async () => {
    const service = await createService({ RATE_CHANGE_DRAFT: 'account=2/60' });
    const { key } = await newCustomer(service);
    const { id } = await openSession(service, key, logo);
    const body = { requirement: 'Brand name', open: true };
    for (const status of [200, 200, 429]) expect((await answer(service, key, id, body)).status).toBe(status);
    expect((await answer(service, key, id, body)).body.error.code).toBe('rate_limit_exceeded');
    await service.close();
  });

  test('403 csrf_token_invalid: a cookie without its token', async () => {
    const { service, ada } = studio;
    const { id } = await openSession(service, ada, logo);
    const refused = await answer(service, { cookie: ada.cookie }, id, { requirement: 'Brand name', open: true });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'csrf_token_invalid']);
  });
});
