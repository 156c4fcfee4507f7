import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/openapi.ts';
import type { AnswerExamples } from '../../contract/document/responses.ts';
import { answerExamplesFile } from '../../server/reference/read-openapi.ts';
import { asLines } from '../../scripts/as-lines.ts';
import { newApp, requestOf, serveDocuments } from '../support/app-documents.ts';
import { authorize } from '../support/apps.ts';
import { type AnswerScene, otherScenes } from '../support/answer-scenes.ts';
import { contentsOf, madeUp } from '../support/answer-examples.ts';
import { createWorld, credentialFor, goodBodies, pathFor, prefixOf, type World } from '../support/every-endpoint.ts';
import { followEvents } from '../support/event-stream.ts';
import { type Got } from '../support/harness.ts';
import { setPlan } from '../support/jobs.ts';
import { byNature, remembered } from '../support/scenes.ts';
import { sendEvent, subscriptionEvent } from '../support/plans.ts';

/**
 * The examples of answers in the document are answers: this sends a request to each operation and compares what comes
 * with what was recorded. `npm run generate` records them again, and so does RECORD=yes alone.
 */

let world: World;
let documents: Awaited<ReturnType<typeof serveDocuments>>;
beforeAll(async () => {
  documents = await serveDocuments();
  world = await createWorld({ WEBHOOK_ALLOW: '127.0.0.1' });
  await setPlan(world.service, world.ada, 'studio', { quota: 10_000, concurrency_limit: 10_000 });
});
afterAll(async () => {
  documents.close();
  await world.service.close();
});

const scenes: typeof otherScenes = {
  ...remembered,
  ...byNature,
  ...otherScenes,
  readConnection: async ({ service, ada }) => {
    const page = await authorize(service, requestOf(newApp(documents.at('painter.json'))), ada);
    return { as: ada.token, query: `?request=${page.searchParams.get('request')}` };
  },
};

/** Writes come first, so that there is something to read, and deletions last. */
const turnOf = ({ method }: Endpoint) => (method === 'DELETE' ? 2 : method === 'GET' ? 1 : 0);
const inOrder = endpoints.toSorted((a, b) => turnOf(a) - turnOf(b));

async function send(endpoint: Endpoint, headers: Record<string, string> = {}): Promise<() => Promise<Got>> {
  const { operationId, method } = endpoint;
  if (operationId === 'receiveWebhook') return () => sendEvent(world.service, providerEvent());
  const { ids } = world;
  const scene: AnswerScene = (await scenes[operationId]?.(world)) ?? {
    as: credentialFor(endpoint, world),
    body: goodBodies[operationId],
  };
  const {
    as,
    id = ids[prefixOf(endpoint) ?? ''],
    more = { message_id: ids.msg!, review_link_id: ids.rvl! },
    body,
  } = scene;
  const path = pathFor(endpoint, id, more) + (scene.query ?? '');
  if (endpoint.answers[200]?.stream) {
    const followed = await followEvents(world.service, as as string, { path });
    const [entry] = await followed.events(1);
    await followed.close();
    return async () => ({ status: 200, headers: new Headers(), body: entry?.data });
  }
  const options = { as, headers, ...(body && method !== 'GET' ? { body } : {}) };
  return () => world.service.call(method, path, options);
}

const providerEvent = () => {
  const names = { accountId: world.ada.accountId, customer: 'cus_1', subscription: 'sub_1' };
  return subscriptionEvent(world.service, names, 'studio');
};

type Answers = Record<string, Record<string, unknown>>;

const firstOf = (type: string, body: unknown): unknown =>
  type === 'application/x-ndjson' ? JSON.parse(String(body).split('\n')[0] ?? '') : body;

/** Successes as the document shows them, by status and media type, and what was refused instead. */
async function play(endpoint: Endpoint): Promise<{ answers: Answers; refusal?: unknown }> {
  const answers: Answers = {};
  let refusal: unknown;
  const add = ({ status, headers, body }: Got) => {
    const type = headers.get('content-type')?.split(';')[0] ?? 'text/event-stream';
    if (status >= 400) refusal = body?.error ?? status;
    else if (body !== undefined) (answers[status] ??= {})[type] ??= madeUp(firstOf(type, body), world.service.url);
  };
  const takesKey = endpoint.idempotent !== undefined && endpoint.idempotent !== 'refused';
  const ask = await send(endpoint, takesKey ? { 'idempotency-key': 'one' } : {});
  add(await ask());
  // A repeat is the other success that some have.
  if (endpoint.answers[200] && endpoint.answers[201]) add(await ask());
  if (endpoint.answers[200]?.lines) add(await (await send(endpoint, { accept: 'application/x-ndjson' }))());
  return { answers, refusal };
}

/** Names and types of a value, without its values. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, shapeOf(inner)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
};

test('each success has an example that an operation of today answers', { timeout: 300_000 }, async () => {
  const recorded: AnswerExamples = {};
  const missing: string[] = [];
  for (const endpoint of inOrder) {
    const contents = contentsOf(endpoint);
    const isPlayed = contents.some(({ only }) => only === undefined);
    const { answers, refusal } = isPlayed ? await play(endpoint).catch(failed) : { answers: {}, refusal: null };
    for (const { status, type, only } of contents) {
      const answer = only ?? answers[status]?.[type];
      ((recorded[endpoint.operationId] ??= {})[status] ??= {})[type] = answer;
      if (answer === undefined) missing.push(`${endpoint.operationId} ${status} ${type}: ${JSON.stringify(refusal)}`);
    }
  }
  const hint = 'add a scene that succeeds to test/support/scenes.ts or answer-scenes.ts, then `npm run generate`';
  expect(missing, hint).toEqual([]);
  const inOrderOfDocument = endpoints.flatMap(({ operationId: id }) => (recorded[id] ? [[id, recorded[id]]] : []));
  const now = Object.fromEntries(inOrderOfDocument) as AnswerExamples;
  if (process.env.RECORD) writeFileSync(answerExamplesFile, `${asLines(now, 1)}\n`);
  const committed = JSON.parse(readFileSync(answerExamplesFile, 'utf8')) as AnswerExamples;
  expect(shapeOf(committed), 'run `npm run generate`').toEqual(shapeOf(now));
});

const failed = (error: unknown): { answers: Answers; refusal: unknown } => ({ answers: {}, refusal: String(error) });
