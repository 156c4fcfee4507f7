import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { answerFault } from '../../support/answers.ts';
import { newFile } from '../../support/files.ts';
import { openSession } from '../../support/intake.ts';
import { newJob } from '../../support/jobs.ts';
import { makeKey } from '../../support/people.ts';
import { makeWorker } from '../../support/workers.ts';
import { type Figure, type Measured, seconds, type Session, some, until } from '../figure.ts';
import { checkBooks } from '../judge.ts';
import { type Input, inputs, operationCount, protocolGarbage } from '../inputs.ts';
import { slack } from '../load.ts';
import { broken, newCustomer, newStudio, withWorld, type World } from '../world.ts';

const answerWithin = 2_000;
const sideBySide = 16;

type Kind = 'server error' | 'undocumented status' | 'wrong shape' | 'invalid taken' | 'slow';
type Fault = { kind: Kind; words: string };

type Answer = { status: number; type: string; text: string; ms: number };

function send(origin: string, { method, path, headers, body }: Input, credential: string | null): Promise<Answer> {
  const began = performance.now();
  const authorization = credential === null ? {} : { authorization: `Bearer ${credential}` };
  // Node states none for some methods, and what follows would be another request.
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(
      origin + path,
      { method, headers: { ...headers, ...authorization, ...length }, timeout: 120_000 },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            text: Buffer.concat(parts).toString(),
            ms: performance.now() - began,
          }),
        );
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('no answer')));
    sent.on('error', reject);
    sent.end(body);
  });
}

function judge({ operationId, method, path, body, invalid }: Input, { status, type, text, ms }: Answer): Fault[] {
  const words = `${operationId} ${method} ${path.slice(0, 120)} ${(body ?? '').slice(0, 160)}: ${status} ${text.slice(0, 160)}`;
  const read: unknown = text === '' ? undefined : type.startsWith('application/json') ? JSON.parse(text) : text;
  const fault = answerFault(method, path, status, type, read);
  const faults: Fault[] = [];
  if (status >= 500) faults.push({ kind: 'server error', words });
  else if (fault?.includes('does not list')) faults.push({ kind: 'undocumented status', words });
  else if (fault !== null) faults.push({ kind: 'wrong shape', words: `${words} ${fault.slice(0, 300)}` });
  if (invalid && status >= 200 && status < 300) faults.push({ kind: 'invalid taken', words });
  if (ms > answerWithin + slack()) faults.push({ kind: 'slow', words: `${words} in ${seconds(ms)}` });
  return faults;
}

/** Sends bytes, and judges the first answer. */
async function sendBytes(origin: string, bytes: string): Promise<Fault[]> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).on('error', () => {});
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  socket.write(bytes, 'latin1');
  const late = setTimeout(() => socket.destroy(), answerWithin + slack());
  await Promise.race([
    once(socket, 'close'),
    until('an answer', () => /\r\n\r\n[^]*\}/.test(text), 10_000).catch(() => {}),
  ]);
  clearTimeout(late);
  socket.destroy();
  const right = /^HTTP\/1\.1 4\d\d /.test(text) && text.includes('"error":{"code":');
  return right ? [] : [{ kind: 'wrong shape', words: `${JSON.stringify(bytes.slice(0, 60))}: ${text.slice(0, 100)}` }];
}

/** Things that exist, and who asks. */
async function prepare(world: World) {
  const studio = await newStudio(world);
  const { key, person } = await newCustomer(world);
  const { service } = world;
  const job = await newJob(service, key);
  const { id: file } = await newFile(service, key, Buffer.from('hello'), { content_type: 'text/plain' });
  const { id: ise } = await openSession(service, key);
  const { body } = await service.call('GET', '/api/v1/api-keys', { as: person.token });
  const worker = await makeWorker(studio);
  const readKey = await makeKey(service, person, ['api:read']);
  return {
    ids: { job, file, ise, key: body.api_keys[0].id as string },
    credentials: [
      key,
      key,
      person.token,
      person.token,
      studio.operator.token,
      studio.operator.token,
      worker,
      readKey,
      null,
      'atl_x',
    ],
  };
}

const prototype = Object.getOwnPropertyNames(Object.prototype).toSorted().join();

/** What requests left on `Object.prototype` of a process. */
async function prototypeFaults({ url, run, said }: World['first']): Promise<string[]> {
  run().child.kill('SIGUSR2');
  await until('the process tells its prototype', () => said().includes('prototype: '));
  const told = /prototype: (.*)/.exec(said())?.[1];
  return told === prototype ? [] : [`Object.prototype of ${url} has ${told}`];
}

/** In parts, so that this process does not stand still, for which `slack` would make allowance. */
async function draw(of: fc.Arbitrary<Input>, count: number, seed: number): Promise<Input[]> {
  const drawn: Input[] = [];
  for (let n = 0; n < count; n += 20) {
    drawn.push(...fc.sample(of, { numRuns: 20, seed: seed + n }));
    await nextTurn();
  }
  return drawn;
}

async function generate(session: Session, count: number, terms: Parameters<typeof withWorld>[0]) {
  return withWorld(terms, async (world) => {
    const { ids, credentials } = await prepare(world);
    const seed = Math.floor(session.random.between(0, 2 ** 31));
    const drawn = await draw(inputs(ids), count, seed);
    const origins = [world.first.url, world.second.url];
    const faults: Fault[] = [];
    const statuses: Record<string, number> = {};
    let next = 0;
    const client = async () => {
      for (let n = next++; n < drawn.length; n = next++) {
        const input = drawn[n]!;
        const origin = origins[n % 2]!;
        const answer = await send(origin, input, credentials[input.credential % credentials.length] ?? null).catch(
          (error: Error) => ({ status: 599, type: '', text: error.message, ms: 0 }),
        );
        const kind = `${Math.floor(answer.status / 100)}xx`;
        statuses[kind] = (statuses[kind] ?? 0) + 1;
        faults.push(...judge(input, answer));
        if (n % 40 === 0) faults.push(...(await sendBytes(origin, session.random.pick(protocolGarbage))));
      }
    };
    await Promise.all(Array.from({ length: sideBySide }, client));
    return { faults, statuses, contradictions: await checkBooks(world), polluted: await pollutedOf(world) };
  });
}

const pollutedOf = async ({ first, second }: World): Promise<string[]> =>
  (
    await Promise.all([first, second].filter(({ run }) => run().child.spawnargs.includes(teller)).map(prototypeFaults))
  ).flat();

const teller = './test/faults/tell-prototype.ts';
const told = ['--import', teller, 'server/main.ts'];

const kindsOf = (faults: readonly Fault[]) => [...new Set(faults.map(({ kind }) => kind))];

async function measure(session: Session): Promise<Measured> {
  const count = 10_000;
  const { faults, statuses, contradictions, polluted } = await generate(session, count, { programs: [told, told] });
  const answers = Object.entries(statuses)
    .toSorted()
    .map(([kind, times]) => `${times.toLocaleString('en')} × ${kind}`);
  return {
    measured: `${count.toLocaleString('en')} requests to ${operationCount} operations (${answers.join(', ')}): ${faults.length} faults`,
    faults: [
      ...kindsOf(faults).flatMap((kind) =>
        some(
          kind,
          faults.filter((fault) => fault.kind === kind).map(({ words }) => words),
        ),
      ),
      ...polluted,
      ...some('contradictions', contradictions),
    ],
  };
}

/** Fires only if each of the five planted defects is found. */
async function control(session: Session): Promise<Measured> {
  const defects = [broken('planted-defects'), broken('planted-defects')] as const;
  // Slower than this machine may be just now.
  const env = { SLOW_MS: String(Math.round(answerWithin + 2 * slack() + 3_000)) };
  const { faults } = await generate(session, 8_000, { programs: defects, env });
  const kinds = kindsOf(faults);
  return {
    measured: `${kinds.length} of 5 planted defects found (${kinds.join(', ')})`,
    faults: kinds.length === 5 ? kinds : [],
  };
}

export const generatedInput: Figure = {
  name: 'F5',
  title: 'requests generated from the OpenAPI document, valid and nearly so, and what is hardly HTTP',
  target: '0 server errors, 0 undocumented answers or shapes, 0 invalid taken, 0 slower than 2 s; prototypes unchanged',
  inShort: false,
  run: measure,
  control,
};
