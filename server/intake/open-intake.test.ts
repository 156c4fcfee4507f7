import { beforeAll, describe, expect, test } from 'vitest';
import { putBrand } from '../../test/support/brand.ts';
import { bytesOf, newFile, reachable, someBytes } from '../../test/support/files.ts';
import {
  answer,
  change,
  close,
  confirm,
  expire,
  openSession,
  readySession,
  tryOpen,
} from '../../test/support/intake.ts';
import { createJob, newCustomer, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { type As, createService } from '../../test/support/harness.ts';
import { saveTemplate } from '../../test/support/templates.ts';
import { requirementsOf } from '../catalog/catalog.ts';
import { readId } from '../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const isTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const labels = () =>
  studio.service.context.catalog.families.get('design')!.intake_requirements.map(({ label }) => label);

describe('from a template', () => {
  const newTemplate = (as: As, body: object) => saveTemplate(studio.service, as, body);

  test('201 copies answers, words and files, and asks for what is left', async () => {
    const { service, key } = studio;
    const file = await newFile(service, key, someBytes());
    const answers = [{ requirement: 'Brand name', answer: 'Rise' }];
    const { body } = await newTemplate(key, {
      service_type: 'logo',
      answers,
      words: 'As always.',
      file_ids: [file.id],
    });
    const { status, body: opened } = await tryOpen(service, key, { template_id: body.template.id });
    const { intake_session: session } = opened;
    expect(status).toBe(201);
    expect(session).toMatchObject({ service_family: 'design', service_type: 'logo', words: 'As always.' });
    expect(session.answers).toEqual([{ ...answers[0], source: 'copied' }]);
    expect(session.messages.at(-1).content).not.toContain('Brand name');
    expect(session.file_ids).toHaveLength(1);
    expect(session.file_ids[0]).not.toBe(file.id);
    const { body: copied } = await service.call('GET', `/api/v1/files/${session.file_ids[0]}`, { as: key });
    expect(copied.file).toMatchObject({ file_name: file.file_name, status: 'uploaded' });
  });

  test('201 twice: each draft has files of its own, which go with their job and stay when the template is deleted', async () => {
    const { service, key } = studio;
    const bytes = someBytes();
    const file = await newFile(service, key, bytes);
    const family = service.context.catalog.families.get('design')!;
    const answers = requirementsOf(family, 'logo').map(({ label, example }) => ({
      requirement: label,
      answer: example,
    }));
    const { body } = await newTemplate(key, { service_type: 'logo', answers, file_ids: [file.id] });
    const { id } = body.template;
    const drafts = [];
    for (let n = 0; n < 2; n++) drafts.push(await openSession(service, key, { template_id: id }));
    expect(drafts.map(({ status }) => status)).toEqual(['brief_ready', 'brief_ready']);
    await service.call('DELETE', `/api/v1/templates/${id}`, { as: key });
    await service.call('DELETE', `/api/v1/files/${file.id}`, { as: key });
    for (const { id: session, file_ids } of drafts) {
      expect((await confirm(service, key, session)).status).toBe(201);
      const { body: link } = await service.call('POST', `/api/v1/files/${file_ids[0]}/download`, { as: key });
      expect(await bytesOf(await fetch(reachable(service, link.download.url)))).toEqual(bytes);
    }
  });

  test('201 after the catalog has changed: an answer that no longer fits goes into the words', async () => {
    const { service, key } = studio;
    const { body } = await newTemplate(key, { service_type: 'logo', words: 'As always.' });
    await service.context.db
      .updateTable('templates')
      .set({ answers: JSON.stringify([{ requirement: 'Favourite bird', answer: 'Wren' }]) })
      .where('id', '=', readId('tpl', body.template.id) ?? '')
      .execute();
    const session = await openSession(service, key, { template_id: body.template.id });
    expect(session).toMatchObject({ answers: [], words: 'As always.\n\nFavourite bird: Wren' });
  });

  test('409 intake_session_conflict: a template that is longer than a brief may be', async () => {
    const { service, key } = studio;
    const answers = ['Target audience', 'Style preferences'].map((requirement) => ({
      requirement,
      answer: 'x'.repeat(5_000),
    }));
    const { body } = await newTemplate(key, { service_type: 'logo', answers, words: 'y'.repeat(15_000) });
    const { status, body: refused } = await tryOpen(service, key, { template_id: body.template.id });
    expect([status, refused.error.code]).toEqual([409, 'intake_session_conflict']);
    expect(refused.error.message).toContain('20,000');
  });

  test('201 with what the brand kit suggests for the other fields', async () => {
    const { service } = studio;
    const { key } = await newCustomer(service);
    const facts = [
      { label: 'Brand name', text: 'Rise Bakery' },
      { label: 'Colours', text: 'Dark green' },
    ];
    expect((await putBrand(service, key, { facts })).status).toBe(200);
    const answers = [{ requirement: 'Brand name', answer: 'Rise' }];
    const { body } = await newTemplate(key, { service_type: 'logo', answers });
    const session = await openSession(service, key, { template_id: body.template.id });
    expect(session.answers).toMatchObject([{ answer: 'Rise', source: 'copied' }]);
    expect(session.suggestions).toMatchObject([
      { requirement: 'Style preferences', answer: 'Dark green', by: 'brand' },
    ]);
  });

  test('404 template_not_found: unknown, deleted, or of another account', async () => {
    const { service, key } = studio;
    const { key: other } = await newCustomer(service, 'studio');
    const { body } = await newTemplate(other, {});
    for (const template_id of ['tpl_01jd3vsh8xe7rtx1zqbdnzc4v0', 'x', body.template.id]) {
      const { status, body: answer } = await tryOpen(service, key, { template_id });
      expect([status, answer.error.code]).toEqual([404, 'template_not_found']);
    }
  });

  test('422 invalid_request: with a service or a message, and neither template nor service', async () => {
    const { service, key } = studio;
    const { body } = await newTemplate(key, {});
    const template_id = body.template.id;
    for (const [sent, location] of [
      [{ template_id, service_family: 'design' }, '/service_family'],
      [{ template_id, message: 'Hello' }, '/message'],
      [{ template_id, job_id: 'job_01jd3vsh8xe7rtx1zqbdnzc4v0' }, '/job_id'],
      [{ job_id: 'job_01jd3vsh8xe7rtx1zqbdnzc4v0', message: 'Hello' }, '/message'],
      [{}, '/service_family'],
    ] as const) {
      const { status, body: refused } = await tryOpen(service, key, sent);
      expect([status, refused.error.code, refused.error.details[0].location]).toEqual([
        422,
        'invalid_request',
        location,
      ]);
    }
  });
});

describe('from a job', () => {
  test('201 copies what its draft had: answers and words as they were, nothing for what was left open, and the files', async () => {
    const { service, key } = studio;
    const bytes = someBytes();
    const file = await newFile(service, key, bytes);
    const { id } = await openSession(service, key, { service_family: 'design', service_type: 'logo' });
    await change(service, key, id, { words: 'As always.\nPlease.', file_ids: [file.id], reference: 'PO 1' });
    await answer(service, key, id, { requirement: 'Brand name', answer: 'Rise' });
    for (const requirement of labels().filter((label) => label !== 'Brand name'))
      await answer(service, key, id, { requirement, open: true });
    const { body } = await confirm(service, key, id);

    const session = await openSession(service, key, { job_id: body.job.id });
    expect(session).toMatchObject({
      service_family: 'design',
      service_type: 'logo',
      answers: [{ requirement: 'Brand name', answer: 'Rise', source: 'copied' }],
      open_requirements: [],
      words: 'As always.\nPlease.',
      customer_title: null,
      reference: null,
    });
    expect(session.file_ids).toHaveLength(1);
    expect(session.file_ids[0]).not.toBe(file.id);
    const { body: link } = await service.call('POST', `/api/v1/files/${session.file_ids[0]}/download`, { as: key });
    expect(await bytesOf(await fetch(reachable(service, link.download.url)))).toEqual(bytes);
  });

  test('201 for a job without a draft: what its instructions say behind labels, and the rest as words', async () => {
    const { service, key } = studio;
    const { body } = await createJob(service, key, {
      customer_title: 'Winter logo',
      customer_instructions: 'Brand name: Rise\n\nTarget audience: neighbours\nand friends\n\nPlease be quick.',
    });
    expect(await openSession(service, key, { job_id: body.job.id })).toMatchObject({
      customer_title: 'Winter logo',
      answers: [
        { requirement: 'Brand name', answer: 'Rise', source: 'copied' },
        { requirement: 'Target audience', answer: 'neighbours\nand friends', source: 'copied' },
      ].toSorted((a, b) => labels().indexOf(a.requirement) - labels().indexOf(b.requirement)),
      words: 'Please be quick.',
      file_ids: [],
    });
  });

  test('404 job_not_found: unknown, or of another account', async () => {
    const { service, key } = studio;
    const { key: other } = await newCustomer(service, 'studio');
    const { body } = await createJob(service, other);
    for (const job_id of ['job_01jd3vsh8xe7rtx1zqbdnzc4v0', 'x', body.job.id]) {
      const { status, body: refused } = await tryOpen(service, key, { job_id });
      expect([status, refused.error.code]).toEqual([404, 'job_not_found']);
    }
  });
});

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
      version: 1,
      answers: [],
      suggestions: [],
      missing_intake_requirements: labels(),
      open_requirements: [],
      file_ids: [],
      wanted_by: null,
      customer_title: null,
      reference: null,
      words: '',
      brand_kit: true,
      suggested_replies: ['Logo', 'Landing page design', 'Social media set', 'Image cut-outs'].map((text) => ({
        label: text,
        message: text,
      })),
      messages: [
        {
          id: expect.stringMatching(/^msg_[0-9a-z]{26}$/),
          role: 'concierge',
          content: expect.any(String),
          understood: [],
          created_at: isTime,
        },
      ],
      next_action: expect.stringContaining(`POST /api/v1/intake/sessions/${session.id}/messages or `),
      intent_brief: null,
      job_id: null,
      expires_at: isTime,
      created_by: { kind: 'api_key', id: expect.stringMatching(/^key_/), name: 'test key' },
      created_at: isTime,
    });
    expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(30 * 24 * 3600_000);
    for (const name of ['Logo', 'Landing page design', 'Social media set', 'Image cut-outs'])
      expect(session.messages[0].content).toContain(name);
  });

  test('201 with an option greets with it and asks for everything at once', async () => {
    const session = await openSession(studio.service, studio.key, { service_family: 'design', service_type: 'logo' });
    expect(session.service_type).toBe('logo');
    expect(session.messages[0].content).toMatch(/^Hello! Logo: .*3 days.*\n\nTell me about it/s);
  });

  test('201 with a message: the option is chosen, labels answer, and prose is suggested', async () => {
    const message = 'Hi! We need a logo. Our brand is called Rise Bakery.\nStyle: warm';
    const session = await openSession(studio.service, studio.key, { service_family: 'design', message });
    expect(session).toMatchObject({
      status: 'open',
      service_type: 'logo',
      answers: [{ requirement: 'Style preferences', answer: 'warm', source: 'typed' }],
      suggestions: [{ requirement: 'Brand name', answer: 'Rise Bakery', span: 'Rise Bakery', by: 'pattern' }],
      words: message,
    });
    expect(session.missing_intake_requirements).toContain('Brand name');
    expect(session.messages.map(({ role }: { role: string }) => role)).toEqual(['customer', 'concierge']);
    expect(session.messages[0].content).toBe(message);
    expect(session.messages[1].content).toContain('Brand name: “Rise Bakery”');
    expect(session.messages[1].understood).toEqual([{ requirement: 'Style preferences', answer: 'warm' }]);
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

  test('403 limit_reached: a hundred open conversations, also when opened at once', async () => {
    const { key } = await newCustomer(studio.service, 'studio');
    const answers = await Promise.all(Array.from({ length: 103 }, () => tryOpen(studio.service, key)));
    const opened = answers.flatMap(({ status, body }) => (status === 201 ? [body.intake_session] : []));
    expect(opened).toHaveLength(100);
    const { error } = answers.find(({ status }) => status !== 201)!.body;
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(3);
    expect(error.code).toBe('limit_reached');
    expect(error.message).toBe('The account has 100 open conversations, which is the limit.');
    expect(opened.filter(({ id }) => error.action.includes(id))).toHaveLength(1);
    expect(error.action).toContain('/close');
    const [first, second] = opened;
    await expire(studio.service, first.id);
    await openSession(studio.service, key);
    expect((await tryOpen(studio.service, key)).status).toBe(403);
    expect((await close(studio.service, key, second.id)).status).toBe(200);
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
