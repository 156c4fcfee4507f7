import { beforeAll, describe, expect, test } from 'vitest';
import { newFile, someBytes } from '../../test/support/files.ts';
import { answer, change, close, confirm, openSession, readSession, readySession } from '../../test/support/intake.ts';
import { sharedStudio, newCustomer, newJob, readJob, type Studio } from '../../test/support/jobs.ts';
import { createService } from '../../test/support/harness.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

describe('what is changed', () => {
  test('200 words: they are read again, suggest, and set nothing', async () => {
    const { service, key } = studio;
    const { id } = await openSession(service, key, { service_family: 'design', service_type: 'logo' });
    const words = 'We are called Hollow Oak Cider.\nStyle: dry and plain';
    const { status, body } = await change(service, key, id, { words });
    expect(status).toBe(200);
    expect(body.intake_session).toMatchObject({
      answers: [],
      words,
      suggestions: [
        { requirement: 'Brand name', answer: 'Hollow Oak Cider', by: 'pattern' },
        { requirement: 'Style preferences', answer: 'dry and plain', span: 'Style: dry and plain', by: 'labels' },
      ],
    });
    await answer(service, key, id, { requirement: 'Style preferences', answer: 'loud' });
    await answer(service, key, id, { requirement: 'Brand name', accept: false });
    const { body: more } = await change(service, key, id, { words: `${words}\nUsage: labels` });
    expect(more.intake_session.suggestions).toMatchObject([{ requirement: 'Where it will be used', answer: 'labels' }]);
    expect(more.intake_session.answers).toMatchObject([{ requirement: 'Style preferences', answer: 'loud' }]);
  });

  test('200 words: a day that they name is the wish, unless the customer has chosen another one', async () => {
    const { service, key } = studio;
    const { id } = await openSession(service, key, { service_family: 'design', service_type: 'logo' });
    const wish = async (body: object) => (await change(service, key, id, body)).body.intake_session.wanted_by;
    expect(await wish({ words: 'We need it by 3 March 2097.' })).toBe('2097-03-03T12:00:00.000Z');
    expect(await wish({ words: 'We need it before 3 March 2097.' })).toBe('2097-03-02T12:00:00.000Z');
    expect(await wish({ wanted_by: null })).toBeNull();
    expect(await wish({ words: 'We need it before 3 March 2097, please.' })).toBeNull();
    expect(await wish({ wanted_by: '2098-01-15T12:00:00.000Z' })).toBe('2098-01-15T12:00:00.000Z');
    expect(await wish({ words: 'We need it by 5 May 2097.' })).toBe('2098-01-15T12:00:00.000Z');
  });

  test('200 words and wanted_by in one request: the wish is wanted_by, whatever day the words name', async () => {
    const { service, key } = studio;
    const { id } = await openSession(service, key, { service_family: 'design', service_type: 'logo' });
    const words = 'We need it by 3 March 2097.';
    const wish = async (body: object) => (await change(service, key, id, body)).body.intake_session.wanted_by;
    expect(await wish({ words, wanted_by: null })).toBeNull();
    expect(await wish({ words, wanted_by: '2097-03-03T12:00:00.000Z' })).toBe('2097-03-03T12:00:00.000Z');
    const again = { words: 'We need it by 5 May 2097.', wanted_by: '2097-03-03T12:00:00.000Z' };
    expect(await wish(again)).toBe('2097-03-03T12:00:00.000Z');
  });

  test('200 file_ids and wanted_by: they stand in the brief; null takes the wish back, and the job has them', async () => {
    const { service, key } = studio;
    const file = await newFile(service, key, someBytes());
    const { id } = await readySession(service, key);
    const { body } = await change(service, key, id, { file_ids: [file.id], wanted_by: '2999-01-15T12:00+02:00' });
    const wanted_by = '2999-01-15T10:00:00.000Z';
    expect(body.intake_session).toMatchObject({ file_ids: [file.id], wanted_by, status: 'brief_ready' });
    expect(body.intake_session.intent_brief).toMatchObject({ file_ids: [file.id], wanted_by });
    const { customer_instructions: text } = body.intake_session.intent_brief;
    expect(text).toContain(`Files: ${file.file_name}`);
    const { body: later } = await change(service, key, id, { wanted_by: null });
    expect(later.intake_session).toMatchObject({ file_ids: [file.id], wanted_by: null });
    await change(service, key, id, { wanted_by });
    const { body: ordered } = await confirm(service, key, id);
    expect((await readJob(service, key, ordered.job.id)).job).toMatchObject({ wanted_by, files: [{ id: file.id }] });
  });

  test('200 customer_title and reference: the brief and the job have them; null takes them away', async () => {
    const { service, key } = studio;
    const { id } = await readySession(service, key);
    const facts = { customer_title: 'Logo for a bakery', reference: 'PO-7' };
    const { body } = await change(service, key, id, facts);
    expect(body.intake_session).toMatchObject({ ...facts, intent_brief: { customer_title: 'Logo for a bakery' } });
    const { body: none } = await change(service, key, id, { customer_title: null, reference: null });
    expect(none.intake_session).toMatchObject({ customer_title: null, reference: null });
    expect(none.intake_session.intent_brief.customer_title).toMatch(/^Logo: /);
    await change(service, key, id, facts);
    const { body: ordered } = await confirm(service, key, id);
    expect((await readJob(service, key, ordered.job.id)).job).toMatchObject(facts);
  });

  test('422 unsafe_request: a key in the title or the reference', async () => {
    const { service, key } = studio;
    const { id } = await readySession(service, key);
    for (const field of ['customer_title', 'reference']) {
      const { status, body } = await change(service, key, id, { [field]: 'AKIAIOSFODNN7EXAMPL2 is ours' });
      expect([status, body.error.code]).toEqual([422, 'unsafe_request']);
      expect(body.error.details).toMatchObject([{ location: `/${field}` }]);
    }
  });

  test('200 another option: answers that it does not ask for move into the words', async () => {
    const { service, key } = studio;
    const ready = await readySession(service, key);
    const { body } = await change(service, key, ready.id, { service_type: 'image_cutout' });
    const { intake_session: session } = body;
    expect(session.service_type).toBe('image_cutout');
    expect(session.answers.map(({ requirement }: { requirement: string }) => requirement)).not.toContain('Brand name');
    expect(session.words).toContain('Brand name: Rise Bakery');
    expect(session.intent_brief.service_type).toBe('image_cutout');
  });

  test('200 another family: the option is open until it is chosen', async () => {
    const { service, key } = studio;
    const ready = await readySession(service, key);
    const { body } = await change(service, key, ready.id, { service_family: 'writing' });
    expect(body.intake_session).toMatchObject({ status: 'open', service_family: 'writing', service_type: null });
    expect(body.intake_session.words).toContain('Style preferences: ');
  });

  test('200 with the version that was read; 409 intake_session_conflict with an older one, and nothing changes', async () => {
    const { service, key } = studio;
    const { id, version } = await readySession(service, key);
    const first = await change(service, key, id, { words: 'of the first tab', version });
    expect([first.status, first.body.intake_session.version]).toEqual([200, version + 1]);
    const second = await change(service, key, id, { words: 'of the second tab', version });
    expect([second.status, second.body.error.code]).toEqual([409, 'intake_session_conflict']);
    expect((await readSession(service, key, id)).body.intake_session).toEqual(first.body.intake_session);
    const again = await change(service, key, id, { words: 'of both', version: version + 1 });
    expect(again.body.intake_session).toMatchObject({ words: 'of both', version: version + 2 });
  });

  test('200 without a version: each field keeps what was sent last', async () => {
    const { service, key } = studio;
    const { id, version } = await readySession(service, key);
    const field = { requirement: 'Style preferences' };
    await answer(service, key, id, { ...field, answer: 'of the first tab' });
    await change(service, key, id, { words: 'of the first tab' });
    const { body } = await answer(service, key, id, { ...field, answer: 'of the second tab' });
    expect(body.intake_session).toMatchObject({ version: version + 3, words: 'of the first tab' });
    expect(body.intake_session.answers).toContainEqual({ ...field, answer: 'of the second tab', source: 'typed' });
  });

  test('200 with what stands there already: the same version', async () => {
    const { service, key } = studio;
    const ready = await readySession(service, key);
    const { body } = await change(service, key, ready.id, { service_type: 'logo', wanted_by: null });
    expect(body.intake_session).toEqual(ready);
    expect((await change(service, key, ready.id, {})).body.intake_session).toEqual(ready);
  });
});

describe('what is refused changes nothing', () => {
  test.each<[string, string, object]>([
    ['422 unsupported_service: an unknown family', 'unsupported_service', { service_family: 'x' }],
    ['422 unsupported_service: an option of another family', 'unsupported_service', { service_type: 'dashboard' }],
    ['422 invalid_request: a day that does not exist', 'invalid_request', { wanted_by: '2027-02-30T12:00:00Z' }],
    ['422 invalid_request: a wish in the past', 'invalid_request', { wanted_by: '2020-02-03T12:00:00Z' }],
    ['422 invalid_request: 20,001 code points', 'invalid_request', { words: '𝒳'.repeat(20_001) }],
    [
      '422 invalid_request: a file that is not there',
      'invalid_request',
      { file_ids: ['file_01jd3vsh8xe7rtx1zqbdnzc4v0'] },
    ],
    ['422 unsafe_request: a credential', 'unsafe_request', { words: `key sk_live_${'a1B2'.repeat(6)}` }],
  ])('%s', async (_, code, body) => {
    const { service, key } = studio;
    const ready = await readySession(service, key);
    const refused = await change(service, key, ready.id, body);
    expect([refused.status, refused.body.error.code]).toEqual([422, code]);
    expect((await readSession(service, key, ready.id)).body.intake_session).toEqual(ready);
  });

  test('422 invalid_request: a file that a job has already', async () => {
    const { service, key } = studio;
    const used = await newFile(service, key, someBytes());
    await newJob(service, key, { file_ids: [used.id] });
    const ready = await readySession(service, key);
    const refused = await change(service, key, ready.id, { file_ids: [used.id] });
    expect([refused.status, refused.body.error.code]).toEqual([422, 'invalid_request']);
  });

  test('409 intake_session_conflict: closed, or a brief that would be too long', async () => {
    const { service, key } = studio;
    const ready = await readySession(service, key);
    const long = await change(service, key, ready.id, { words: 'x'.repeat(20_000) });
    expect([long.status, long.body.error.code]).toEqual([409, 'intake_session_conflict']);
    await close(service, key, ready.id);
    const closed = await change(service, key, ready.id, { words: 'x' });
    expect([closed.status, closed.body.error.code]).toEqual([409, 'intake_session_conflict']);
  });

  test('429 rate_limit_exceeded: counted with all changes of drafts', async () => {
    const service = await createService({ RATE_CHANGE_DRAFT: 'account=1/60' });
    const { key } = await newCustomer(service);
    const { id } = await openSession(service, key);
    expect((await change(service, key, id, {})).status).toBe(200);
    const refused = await change(service, key, id, {});
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limit_exceeded']);
    await service.close();
  });

  test('403 csrf_token_invalid: a cookie without its token', async () => {
    const { service, ada } = studio;
    const { id } = await openSession(service, ada);
    const refused = await change(service, { cookie: ada.cookie }, id, { words: 'x' });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'csrf_token_invalid']);
  });
});
