import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFile, unknownFile } from '../../test/support/files.ts';
import {
  answer,
  close,
  confirm,
  expire,
  openSession,
  readSession,
  readySession,
  say,
} from '../../test/support/intake.ts';
import { newCustomer, newJob, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { makeKey } from '../../test/support/people.ts';
import { createService } from '../../test/support/harness.ts';
import { readId } from '../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const contents = ({ messages }: { messages: { content: string }[] }) => messages.map(({ content }) => content);

describe('what is said', () => {
  test('201 with the reply, which is also the last message of the session', async () => {
    const { service, key } = studio;
    const opened = await openSession(service, key);
    const { status, body } = await say(service, key, opened.id, 'A logo, please.\nFor Rise.');
    expect(status).toBe(201);
    expect(body.intake_session.messages).toEqual([
      ...opened.messages,
      expect.objectContaining({ role: 'customer', content: 'A logo, please.\nFor Rise.' }),
      body.message,
    ]);
    expect(body.message.role).toBe('concierge');
    expect(body.intake_session.service_type).toBe('logo');
  });

  test('201 for messages at once: all are there, each with its reply behind it', async () => {
    const { service, key } = studio;
    const { id } = await openSession(service, key, { service_family: 'design', service_type: 'logo' });
    const words = Array.from({ length: 12 }, (_, i) => `Note ${i}: please mind the gap.`);
    const answers = await Promise.all(words.map((content) => say(service, key, id, content)));
    expect(answers.map(({ status }) => status)).toEqual(words.map(() => 201));
    const { body } = await readSession(service, key, id);
    const { messages } = body.intake_session;
    expect(messages).toHaveLength(25);
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(
      messages.map((_: unknown, i: number) => (i % 2 === 0 ? 'concierge' : 'customer')),
    );
    expect(
      contents(body.intake_session)
        .filter((content) => words.includes(content))
        .toSorted(),
    ).toEqual(words.toSorted());
  });

  test('201 in the words of the door: a person hears of the paper clip, a key of ids and routes', async () => {
    const { service, key } = studio;
    const { person } = await newCustomer(service);
    const question = 'Which file types can I upload?';
    const { id } = await openSession(service, key, {
      service_family: 'design',
      service_type: 'logo',
      message: 'hello',
    });
    expect((await say(service, key, id, question)).body.message.content).toContain('POST /api/v1/files/presign');
    const own = await openSession(service, person, { service_family: 'design', message: 'A logo' });
    const { content } = (await say(service, person, own.id, question)).body.message;
    expect(content).toContain('paper clip');
    expect(content).not.toMatch(/file_|\/api\//u);
  });

  test('201 to a brief-ready session revises the brief: version + 1 with each message', async () => {
    const { service, key } = studio;
    const { id } = await readySession(service, key);
    const versions = [];
    for (const content of ['Audience: students.', 'Thanks!', 'How long does it take?']) {
      const { body } = await say(service, key, id, content);
      expect(body.intake_session.status).toBe('brief_ready');
      versions.push(body.intake_session.intent_brief.version);
    }
    expect(versions).toEqual([2, 3, 4]);
    const { body } = await readSession(service, key, id);
    expect(body.intake_session.intent_brief.customer_instructions).toContain('Target audience: students');
  });

  test('201 names the files that go along, and those that do not', async () => {
    const { service, key, ada } = studio;
    const mine = await newFile(service, key, Buffer.from('hello'));
    const used = await newFile(service, key, Buffer.from('hello'));
    await newJob(service, key, { file_ids: [used.id] });
    const { key: eve } = await newCustomer(service);
    const foreign = await newFile(service, eve, Buffer.from('hello'));
    const { id } = await readySession(service, await makeKey(service, ada));
    const all = [mine.id, used.id, foreign.id, unknownFile];
    const { body } = await say(service, key, id, `Here: ${all.join(' ')}`);
    expect(body.intake_session.intent_brief.file_ids).toEqual([mine.id]);
    expect(body.intake_session.file_ids).toEqual([mine.id]);
    expect(body.message.content).toContain(mine.file_name);
    for (const other of [used.id, foreign.id, unknownFile]) expect(body.message.content).toContain(other);
  });

  test('201 keeps text as it is, in any script, and counts code points', async () => {
    const { service, key } = studio;
    const { id } = await openSession(service, key);
    for (const content of [
      '日本語 🎉 e\u0301 é \u202Ertl\u202C zero\u200Bwidth',
      '𝒳'.repeat(4000),
      'İ'.repeat(500),
      '<b>&amp;</b>',
    ]) {
      const { status, body } = await say(service, key, id, content);
      expect(status).toBe(201);
      expect(body.intake_session.messages.at(-2).content).toBe(content);
    }
  });
});

describe('what is refused, and not stored', () => {
  test.each([
    ['422 unsafe_request: a credential', 'unsafe_request', `Our key is sk_live_${'a1B2'.repeat(6)}`],
    ['422 unsafe_request: a card number', 'unsafe_request', 'Pay with 4242 4242 4242 4242'],
    ['422 invalid_request: 4,001 code points', 'invalid_request', '𝒳'.repeat(4001)],
    ['422 invalid_request: nothing but white space', 'invalid_request', ' \n '],
  ])('%s', async (_, code, content) => {
    const { service, key } = studio;
    const opened = await openSession(service, key);
    const { status, body } = await say(service, key, opened.id, content);
    expect([status, body.error.code]).toEqual([422, code]);
    expect(body.error.details).toMatchObject([{ location: '/content' }]);
    expect((await readSession(service, key, opened.id)).body.intake_session).toEqual(opened);
  });

  test('422 unsafe_request: harmless alone, but not together with what was said before', async () => {
    const { service, key } = studio;
    const { id } = await openSession(service, key, { service_family: 'software' });
    const { body: first } = await say(service, key, id, 'Next comes our secret access key');
    const { status, body } = await say(service, key, id, 'a1B2'.repeat(10));
    expect([status, body.error.code]).toEqual([422, 'unsafe_request']);
    expect((await readSession(service, key, id)).body.intake_session).toEqual(first.intake_session);
  });

  test('404 intake_session_not_found: see read-intake.test.ts for the account of another', async () => {
    const { status, body } = await say(studio.service, studio.key, 'ise_x', 'Hello');
    expect([status, body.error.code]).toEqual([404, 'intake_session_not_found']);
  });

  test.each([
    ['409 intake_session_conflict: expired', (id: string) => expire(studio.service, id), 'expired'],
    ['409 intake_session_conflict: closed', (id: string) => close(studio.service, studio.key, id), 'closed'],
    ['409 intake_session_conflict: confirmed', (id: string) => confirm(studio.service, studio.key, id), 'confirmed'],
    ['409 intake_session_conflict: full', (id: string) => fill(id), 'full'],
  ])('%s', async (_, end, word) => {
    const { service, key } = studio;
    const { id } = await readySession(service, key);
    await end(id);
    const before = (await readSession(service, key, id)).body;
    const { status, body } = await say(service, key, id, 'One more thing.');
    expect([status, body.error.code]).toEqual([409, 'intake_session_conflict']);
    expect(body.error.message).toContain(word);
    expect((await readSession(service, key, id)).body).toEqual(before);
  });

  /** As after 99 messages more. */
  const fill = async (id: string) => {
    await sql`update intake_sessions set last_seq = 199 where id = ${readId('ise', id)}`.execute(
      studio.service.context.db,
    );
  };

  test('409 intake_session_conflict: the brief would be too long; shorter words are taken, and no word is lost', async () => {
    const { service, key } = studio;
    const { id } = await openSession(service, key, { service_family: 'design', service_type: 'logo' });
    const said: string[] = [];
    let refused;
    for (let i = 0; i < 8 && !refused; i++) {
      const content = `Note ${i}! ${'word '.repeat(790)}`;
      const sent = await say(service, key, id, content);
      if (sent.status === 201) said.push(content);
      else refused = sent;
    }
    expect([refused?.status, refused?.body.error.code]).toEqual([409, 'intake_session_conflict']);
    expect(refused?.body.error.message).toContain('20,000');
    expect(said.length).toBeGreaterThan(3);
    const { missing_intake_requirements: missing } = (await readSession(service, key, id)).body.intake_session;
    for (const requirement of missing)
      expect((await answer(service, key, id, { requirement, open: true })).status).toBe(200);
    const { body } = await readSession(service, key, id);
    const { customer_instructions } = body.intake_session.intent_brief;
    expect([...customer_instructions].length).toBeLessThanOrEqual(20_000);
    for (const content of said)
      expect(customer_instructions.replace(/\s+/g, ' ')).toContain(content.trim().replace(/\s+/g, ' '));
  });

  test('429 rate_limit_exceeded: 31 in a minute', async () => {
    const service = await createService({ RATE_ADD_MESSAGE: 'account=30/60' });
    const { key } = await newCustomer(service);
    const { id } = await openSession(service, key);
    for (let i = 0; i < 30; i++) expect((await say(service, key, id, 'Hello')).status).toBe(201);
    const { status, body, headers } = await say(service, key, id, 'Hello');
    expect([status, body.error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(headers.get('ratelimit-policy')).toBe('"account";q=30;w=60');
    await service.close();
  });

  test('403 csrf_token_invalid: a cookie without its token', async () => {
    const { service, ada } = studio;
    const { id } = await openSession(service, ada);
    const answer = await say(service, { cookie: ada.cookie }, id, 'Hello');
    expect([answer.status, answer.body.error.code]).toEqual([403, 'csrf_token_invalid']);
    expect((await say(service, ada, id, 'Hello')).status).toBe(201);
  });
});
