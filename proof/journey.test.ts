import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '@modelcontextprotocol/client';
import { newDeliverable, someBytes } from '../test/support/files.ts';
import { createStudio, draft, makeMoves, pathOf, post, type Studio } from '../test/support/jobs.ts';
import { ask } from '../test/support/talk.ts';
import { call, connect } from '../test/support/mcp.ts';
import { followNextAction } from './wait.ts';

let studio: Studio;
let client: Client;
beforeAll(async () => {
  studio = await createStudio();
  client = await connect(studio.service, studio.key);
});
afterAll(async () => {
  await client.close();
  await studio.service.close();
});

const tokensOf = (value: unknown) => encode(typeof value === 'string' ? value : JSON.stringify(value)).length;

/** What a model reads and writes, call by call. */
const spent: { step: string; tokens: number }[] = [];

async function step(tool: string, args: object = {}) {
  const { body, isError } = await call(client, tool, args);
  expect(isError, JSON.stringify(body)).toBe(false);
  spent.push({ step: tool, tokens: tokensOf([args, body]) });
  return body;
}

async function deliver(id: string) {
  const { service, operator } = studio;
  const file = await newDeliverable(service, operator.token, id, someBytes());
  const handedIn = { message: 'The first version.', file_ids: [file.id] };
  expect((await post(service, operator.token, pathOf('submit', id), handedIn)).status).toBe(200);
  await makeMoves(studio, id, 'pass');
}

test('a job with a file, a question and a revision costs at most 16 calls and 12,000 tokens', async () => {
  const { tools } = await client.listTools();
  spent.push({
    step: 'tools and instructions',
    tokens: tokensOf({ tools }) + tokensOf(client.getInstructions() ?? ''),
  });
  const { service_family, service_type, customer_title } = draft;

  await step('get_catalog');
  const { service_families } = await step('get_catalog', { service_family });
  const hints: { requirement: string; example: string }[] = service_families[0].intake_hints;
  const customer_instructions = hints.map(({ requirement, example }) => `${requirement}: ${example}`).join('\n');
  const whole = { service_family, service_type, customer_title, customer_instructions };
  expect((await step('check_intent', whole)).intent_check.ready).toBe(true);
  const { file } = await step('create_text_file', {
    file_name: 'sign.md',
    text: 'The old sign is green, with an ear of rye.',
  });
  expect((await step('preflight_job', { ...whole, file_ids: [file.id] })).preflight.ready_to_create).toBe(true);
  const created = await step('create_job', { ...whole, file_ids: [file.id], idempotency_key: 'logo-1' });
  const { id } = created.job;

  await makeMoves(studio, id, 'accept', 'start');
  await ask(studio, id, 'Which of the two greens do you prefer?');
  expect((await followNextAction(step, created.next_action)).type).toBe('job.question_asked');
  const waiting = await step('get_job', { job_id: id });
  expect(waiting.next_action).toContain('Which of the two greens do you prefer?');
  const answered = await step('send_message', { job_id: id, text: 'The dark one.', idempotency_key: 'answer-1' });
  await deliver(id);
  expect((await followNextAction(step, answered.next_action)).type).toBe('job.ready_for_customer_review');
  const { job: ready } = await step('get_job', { job_id: id });
  await step('get_download', { file_id: ready.deliveries[0].file_ids[0] });
  const revision = { job_id: id, round: 0, customer_instructions: 'Rounder letters, and a thinner border.' };
  const revised = await step('request_revision', revision);
  await makeMoves(studio, id, 'start', 'submit', 'pass');
  expect((await followNextAction(step, revised.next_action)).type).toBe('job.ready_for_customer_review');
  expect((await step('get_job', { job_id: id })).next_action).toContain('round=1');
  expect((await step('approve_job', { job_id: id, round: 1 })).job.status).toBe('completed');

  const all = spent.reduce((sum, { tokens }) => sum + tokens, 0);
  const lines = spent.map(({ step, tokens }) => `${step} ${tokens}`).join('\n');
  expect(spent.length - 1, lines).toBeLessThanOrEqual(16);
  expect(all, lines).toBeLessThanOrEqual(12_000);
});

test('the index of the catalog costs at most 700 tokens, and each family 1,000', async () => {
  const { body } = await call(client, 'get_catalog');
  expect(tokensOf(body)).toBeLessThanOrEqual(700);
  for (const { id } of body.index)
    expect(tokensOf((await call(client, 'get_catalog', { service_family: id })).body), id).toBeLessThanOrEqual(1_000);
});
