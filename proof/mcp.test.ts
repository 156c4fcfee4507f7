import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '@modelcontextprotocol/client';
import { newDeliverable, put, someBytes } from '../test/support/files.ts';
import { createStudio, draft, makeMoves, newCustomer, pathOf, post, type Studio } from '../test/support/jobs.ts';
import { makeKey } from '../test/support/people.ts';
import { call, connect, connectByCommand, connectLegacy, connectOld, type ToolAnswer } from '../test/support/mcp.ts';
import { followNextAction } from './wait.ts';

let studio: Studio;
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

/** A client that counts what a model would have to read and how often it calls. */
async function openClient(connectAs: (service: Studio['service'], key: string) => Promise<unknown>, key: string) {
  const client = (await connectAs(studio.service, key)) as Client;
  const spent = { calls: 0, tokens: encode(JSON.stringify(await client.listTools())).length };
  return {
    spent,
    close: () => client.close(),
    async call(name: string, args: object = {}): Promise<ToolAnswer['body']> {
      const { body } = await call(client, name, args);
      spent.calls += 1;
      spent.tokens += encode(JSON.stringify([args, body])).length;
      return body;
    },
  };
}

type Agent = { call(name: string, args?: object): Promise<ToolAnswer['body']> };

/** Sends a text as the host of an agent does, and answers the id of the file. */
async function upload(agent: Agent, text: string): Promise<string> {
  const described = { purpose: 'job_source', content_type: 'text/plain', file_name: 'sign.txt' };
  const told = await agent.call('create_upload', { ...described, size_bytes: text.length });
  expect((await put(studio.service, told.upload, text)).status).toBe(200);
  await agent.call('complete_upload', { file_id: told.file.id });
  return told.file.id;
}

async function deliver(id: string): Promise<void> {
  await makeMoves(studio, id, 'accept', 'start');
  const { service, operator } = studio;
  const file = await newDeliverable(service, operator.token, id, someBytes());
  const handedIn = { message: 'The first version.', file_ids: [file.id] };
  expect((await post(service, operator.token, pathOf('submit', id), handedIn)).status).toBe(200);
  await makeMoves(studio, id, 'pass');
}

const logo = {
  service_family: draft.service_family,
  service_type: draft.service_type,
  customer_title: draft.customer_title,
};

describe.each([
  ['the client of today', connect],
  ['the client of today in the era of 2025', connectLegacy],
  ['the older client', connectOld],
  ['atelier mcp over standard input and output', connectByCommand],
])('%s', (_, connectAs) => {
  test('from the catalog to an approved job, with files and a revision, in 13 calls and 10,000 tokens', async () => {
    const agent = await openClient(connectAs, studio.key);
    const { index } = await agent.call('get_catalog');
    expect(index.map(({ id }: { id: string }) => id)).toContain(logo.service_family);
    const { service_family } = logo;
    const [family] = (await agent.call('get_catalog', { service_family })).service_families;
    const { intent_check } = await agent.call('check_intent', { ...logo, customer_instructions: 'A logo, please.' });
    expect(intent_check.missing_intake_requirements.length).toBeGreaterThan(0);
    const hints: { requirement: string; example: string }[] = family.intake_hints;
    const customer_instructions = hints.map(({ requirement, example }) => `${requirement}: ${example}`).join('\n');
    const whole = { ...logo, customer_instructions };
    expect((await agent.call('preflight_job', whole)).preflight.ready_to_create).toBe(true);
    const file_ids = [await upload(agent, 'The old sign.')];
    const ordered = { ...whole, file_ids, idempotency_key: crypto.randomUUID() };
    const { job, next_action } = await agent.call('create_job', ordered);

    const delivered = deliver(job.id);
    expect(await followNextAction(agent.call, next_action)).toMatchObject({
      job: { status: 'ready_for_customer_review' },
    });
    await delivered;
    const { job: ready } = await agent.call('get_job', { job_id: job.id });
    const [file_id] = ready.deliveries[0].file_ids;
    const { download } = await agent.call('get_download', { file_id });
    expect(download.url).toMatch(/^http/);
    const pin = { file_id, text: 'This letter.' };
    const asked = { job_id: job.id, round: 0, customer_instructions: 'Rounder letters.', comments: [pin] };
    const revised = followNextAction(agent.call, (await agent.call('request_revision', asked)).next_action);
    await makeMoves(studio, job.id, 'start', 'submit', 'pass');
    expect(await revised).toMatchObject({ data: { round: 1 }, job: { status: 'ready_for_customer_review' } });
    expect((await agent.call('approve_job', { job_id: job.id, round: 1 })).job.status).toBe('completed');
    expect(agent.spent.calls).toBeLessThanOrEqual(13);
    expect(agent.spent.tokens).toBeLessThanOrEqual(10_000);

    expect(await agent.call('approve_job', { job_id: job.id, round: 1 })).toMatchObject({
      code: 'invalid_request',
      action: expect.any(String),
    });
    await agent.close();
  });

  test('by the concierge, who asks for what is missing', async () => {
    const agent = await openClient(connectAs, studio.key);
    let { intake_session: session } = await agent.call('open_intake', {
      service_family: 'design',
      service_type: 'logo',
    });
    const { service_families } = await agent.call('get_catalog', { service_family: 'design' });
    const { intake_hints } = service_families[0];
    const answers = intake_hints.map(
      (hint: { requirement: string; example: string }) => `${hint.requirement}: ${hint.example}`,
    );
    ({ intake_session: session } = await agent.call('send_intake_message', {
      session_id: session.id,
      content: answers.join('\n'),
    }));
    for (let asked = 0; session.status !== 'brief_ready' && asked < 10; asked++)
      ({ intake_session: session } = await agent.call('send_intake_message', {
        session_id: session.id,
        content: session.suggested_replies[0].message,
      }));
    const confirmed = await agent.call('confirm_brief', {
      session_id: session.id,
      brief_version: session.intent_brief.version,
    });
    expect(confirmed.job.status).toBe('queued');
    expect((await agent.call('confirm_brief', { session_id: session.id })).code).toBe('intake_session_conflict');
    await agent.close();
  });

  test('a create that is called again with its key is one job; another draft under it is refused', async () => {
    const agent = await openClient(connectAs, studio.key);
    const asked = { ...draft, idempotency_key: crypto.randomUUID() };
    const answers = await Promise.all([agent.call('create_job', asked), agent.call('create_job', asked)]);
    answers.push(await agent.call('create_job', asked));
    expect(new Set(answers.map(({ job }) => job.id)).size).toBe(1);
    const other = await agent.call('create_job', { ...asked, customer_title: 'Another logo' });
    expect(other).toMatchObject({
      code: 'idempotency_key_conflict',
      action: expect.stringContaining('new idempotency_key'),
    });
    await agent.close();
  });

  test('without a plan the error leads to the plans', async () => {
    const { key } = await newCustomer(studio.service);
    const agent = await openClient(connectAs, key);
    const refused = await agent.call('create_job', { ...draft, idempotency_key: 'one' });
    expect(refused).toMatchObject({ code: 'entitlement_required', action: expect.stringContaining('list_plans') });
    expect((await agent.call('list_plans')).plans.length).toBeGreaterThan(0);
    await agent.close();
  });

  test('a key that is revoked while its agent waits: the wait ends, and the next call is 401', async () => {
    const { service, ada } = studio;
    const key = await makeKey(service, ada);
    const agent = await openClient(connectAs, key);
    const { latest } = await agent.call('wait_for_events', { limit: 1 });
    const waiting = agent.call('wait_for_events', { after: latest, wait: 20 });
    const { body } = await service.call('GET', '/api/v1/api-keys', { as: ada.token });
    const { id } = body.api_keys.find(({ prefix }: { prefix: string }) => key.includes(prefix));
    await expect.poll(() => service.context.waits.callers().length).toBe(1);
    expect((await service.call('DELETE', `/api/v1/api-keys/${id}`, { as: ada.token })).status).toBe(200);
    expect((await waiting).next_after).toBeGreaterThanOrEqual(latest);
    await expect(agent.call('get_account')).rejects.toThrow();
    await agent.close();
  });
});

test('all that is written for agents tells how to wait for one job', async () => {
  const { url } = studio.service;
  const client = await connect(studio.service, studio.key);
  const prompt = await client.getPrompt({ name: 'order_work', arguments: { goal: 'A logo' } });
  const read = async (path: string) => (await fetch(url + path)).text();
  const told = [client.getInstructions(), await read('/llms.txt'), await read('/docs/agents.md')];
  told.push(await read('/skills/atelier/SKILL.md'), JSON.stringify(prompt.messages));
  for (const text of told)
    for (const word of ['wait_for_events', 'job_id', 'types', 'next_action', 'next_after'])
      expect(text).toContain(word);
  const awaited = ['job.ready_for_customer_review', 'job.rejected', 'job.canceled'];
  for (const text of told.slice(0, 4)) for (const type of awaited) expect(text).toContain(type);
  await client.close();
});
