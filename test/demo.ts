import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** `npm run demo`: starts its own service and walks one job from plan to approval, a line a step. Ends non-zero when a step answers otherwise. */

// The demo reads whatever an answer holds; a field that is missing fails the step that expects it.
// oxlint-disable-next-line typescript/no-explicit-any
type Got = { status: number; headers: Headers; body: any };
type Sent = { as?: string; body?: unknown; key?: string };

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const operator = { email: 'desk@atelier.example', password: 'a desk of one’s own' };

async function startService(folder: string, port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env: {
      ...process.env,
      DATA_DIR: folder,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      OPERATOR_EMAIL: operator.email,
      OPERATOR_PASSWORD: operator.password,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    let shown = '';
    child.stdout.on('data', (chunk: Buffer) => {
      shown += chunk.toString();
      if (shown.includes('Create a job with its key')) resolve();
    });
    child.on('exit', (code) => reject(new Error(`The service ended with ${code}:\n${shown}`)));
  });
  child.removeAllListeners('exit');
  return child;
}

const short = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 110 ? `${text.slice(0, 107)}…` : text;
};

let step = 0;
function tell(what: string, sent: string, came: unknown): void {
  step++;
  process.stdout.write(`${String(step).padStart(2)}. ${what.padEnd(34)} ${sent}\n${' '.repeat(38)} → ${short(came)}\n`);
}

function expectThat(condition: boolean, what: string, got: Got): void {
  if (!condition) throw new Error(`${what}; got ${got.status} ${JSON.stringify(got.body)}`);
}

const caller = (origin: string) =>
  async function call(expected: number, method: string, path: string, { as, body, key }: Sent = {}): Promise<Got> {
    const response = await fetch(origin + path, {
      method,
      headers: {
        ...(as ? { authorization: `Bearer ${as}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key ? { 'idempotency-key': key } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.startsWith('application/json');
    const got: Got = { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
    expectThat(got.status === expected, `${method} ${path} should answer ${expected}`, got);
    return got;
  };
type Call = ReturnType<typeof caller>;

async function takePlan(call: Call, token: string): Promise<void> {
  const checkout = await call(201, 'POST', '/api/checkout/tier', { as: token, body: { tier: 'studio' } });
  tell('start a checkout', 'POST /api/checkout/tier {tier: studio}', checkout.body.checkout);
  const page = checkout.body.checkout.url as string;
  const paid = await fetch(`${page}/pay`, { method: 'POST' });
  tell(
    'pay at the sandbox',
    `POST ${new URL(page).pathname.slice(0, 24)}…`,
    `${paid.status}, and a signed event came to the webhook`,
  );
  const { body } = await call(200, 'GET', '/api/v1/entitlements', { as: token });
  const [entitlement] = body.entitlements;
  tell(
    'the plan is there',
    'GET /api/v1/entitlements',
    `${entitlement.code}: ${entitlement.remaining} of ${entitlement.quota} jobs`,
  );
}

const draft = (customer_instructions: string) => ({
  service_family: 'design',
  service_type: 'logo',
  customer_title: 'Logo for a neighbourhood bakery',
  customer_instructions,
});

/** The worker is another process, which knows the address and its key and nothing else. */
async function haveWorkerDo(origin: string, key: string): Promise<void> {
  const worker = spawn(process.execPath, [join(import.meta.dirname, 'demo-worker.ts')], {
    env: { ...process.env, SERVICE_URL: origin, WORKER_KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  worker.stdout.on('data', (chunk: Buffer) => void (printed += chunk.toString()));
  const code = await new Promise((resolve) => worker.on('close', resolve));
  if (code !== 0) throw new Error(`The worker ended with ${String(code)}.`);
  for (const line of printed.trim().split('\n')) {
    const [verb = '', came] = line.split('\t');
    tell(`the worker: ${verb}`, `POST /api/operator/v1/jobs/…/${verb}`.replace('…/claim', 'claim'), came);
  }
}

const png = (width: number) =>
  Buffer.from(`\x89PNG\r\n\x1a\n a picture of ${width} wheat ears`.padEnd(50_000, '.'), 'latin1');

/** Presign, PUT, complete: at the customer's routes or at those of the desk. The id of the uploaded file. */
async function upload(
  call: Call,
  as: string,
  paths: { presign: string; complete: string },
  file: object,
  bytes: Buffer,
) {
  const wish = { content_type: 'image/png', size_bytes: bytes.length, ...file };
  const { body } = await call(201, 'POST', paths.presign, { as, body: wish });
  const { url, method, headers } = body.upload as { url: string; method: string; headers: Record<string, string> };
  const { status } = await fetch(url, { method, headers, body: new Uint8Array(bytes) });
  if (status !== 200) throw new Error(`The PUT should answer 200; got ${status}`);
  const completed = await call(200, 'POST', `${paths.complete}/${body.file.id}/complete`, { as });
  expectThat(completed.body.file.status === 'uploaded', 'A completed file should be uploaded', completed);
  return body.file.id as string;
}

async function bytesAre(call: Call, as: string, path: string, expected: Buffer): Promise<void> {
  const { body } = await call(200, 'POST', path, { as, body: {} });
  const got = Buffer.from(await (await fetch(body.download.url)).arrayBuffer());
  if (!got.equals(expected)) throw new Error(`${path} should lead to the very bytes that were uploaded`);
}

/** The other way to a job: a conversation, the brief it leads to, and a confirmation. */
async function talk(call: Call, as: string): Promise<void> {
  const sessions = '/api/v1/intake/sessions';
  const opened = await call(201, 'POST', sessions, { as, body: { service_family: 'writing' } });
  const { session } = opened.body;
  const told = (words: string) => words.replace(/\s+/g, ' ');
  tell('talk with the concierge', 'POST /api/v1/intake/sessions {writing}', told(session.messages[0].content));
  const said = [
    'A blog article about why sourdough keeps, please.',
    'Home bakers. The tone should be friendly.',
    '1,200 words',
    'no, make it 1,000 words',
    'Feeding schedule and storage',
    'skip',
  ];
  let brief = null;
  for (const content of said) {
    const { body } = await call(201, 'POST', `${sessions}/${session.id}/messages`, { as, body: { content } });
    tell(`say “${content.slice(0, 24)}…”`, 'POST /api/v1/intake/sessions/…/messages', told(body.message.content));
    brief = body.session.intent_brief;
  }
  const body = { brief_version: brief.version };
  const confirmed = await call(201, 'POST', `${sessions}/${session.id}/confirm`, { as, body, key: 'demo-4' });
  tell('confirm the brief', 'POST /api/v1/intake/sessions/…/confirm', confirmed.body.job);
  const read = await call(200, 'GET', confirmed.body.job.links.self, { as });
  expectThat(read.body.job.source === 'intake', 'The job should come from the conversation', read);
  tell('the job has the brief', 'GET /api/v1/jobs/…', read.body.job.intent_brief.answered_requirements);
}

async function story(origin: string): Promise<void> {
  const call = caller(origin);
  const me = { name: 'Ada', email: 'ada@atelier.example', password: 'correct horse battery' };
  const { body: session } = await call(200, 'POST', '/api/auth/sign-up/email', { body: me });
  const token = session.token as string;
  tell('sign up', 'POST /api/auth/sign-up/email', session.user);
  await takePlan(call, token);

  const { body: made } = await call(201, 'POST', '/api/v1/api-keys', { as: token, body: { name: 'demo agent' } });
  const as = made.plaintext_key as string;
  tell('make a key for the agent', 'POST /api/v1/api-keys', `${made.api_key.prefix}, shown once`);

  const { body: catalog } = await call(200, 'GET', '/api/v1/catalog');
  const family = catalog.service_families.find((one: { id: string }) => one.id === 'design');
  tell('read the catalog', 'GET /api/v1/catalog', family.intake_requirements);

  const thin = await call(200, 'POST', '/api/v1/catalog/intent-check', { body: draft('We need a logo.') });
  expectThat(thin.body.intent_check.ready === false, 'A thin draft should not be ready', thin);
  tell('check a thin draft', 'POST /api/v1/catalog/intent-check', thin.body.intent_check.missing_intake_requirements);

  const answers = family.intake_hints.map(
    (hint: { requirement: string; example: string }) => `${hint.requirement}: ${hint.example}`,
  );
  const body = draft(answers.join('\n'));
  const full = await call(200, 'POST', '/api/v1/catalog/intent-check', { body });
  expectThat(full.body.intent_check.ready === true, 'A full draft should be ready', full);
  tell('check the full draft', 'POST /api/v1/catalog/intent-check', { ready: true });

  const { body: asked } = await call(200, 'POST', '/api/v1/jobs/preflight', { as, body });
  tell('ask whether it would be taken', 'POST /api/v1/jobs/preflight', asked.preflight);

  const source = png(1);
  const customer = { presign: '/api/v1/files/presign', complete: '/api/v1/files' };
  const brief = await upload(call, as, customer, { purpose: 'job_source', file_name: 'wheat.png' }, source);
  tell('upload a source file', 'POST /api/v1/files/presign, PUT, complete', brief);

  const key = 'demo-1';
  const order = { ...body, file_ids: [brief] };
  const created = await call(201, 'POST', '/api/v1/jobs', { as, body: order, key });
  const { job } = created.body;
  tell('create the job', 'POST /api/v1/jobs', job);
  const again = await call(200, 'POST', '/api/v1/jobs', { as, body: order, key });
  expectThat(
    again.body.job.id === job.id && again.headers.get('idempotent-replayed') === 'true',
    'A replay should answer the same job',
    again,
  );
  tell('send it again with the same key', 'POST /api/v1/jobs', `200, the same job, Idempotent-Replayed: true`);

  const { body: desk } = await call(200, 'POST', '/api/auth/sign-in/email', { body: operator });
  const move = async (verb: string, status: string, sent?: unknown) => {
    const moved = await call(200, 'POST', `/api/operator/v1/jobs/${job.id}/${verb}`, { as: desk.token, body: sent });
    expectThat(moved.body.job.status === status, `${verb} should lead to ${status}`, moved);
    tell(`the operator: ${verb}`, `POST /api/operator/v1/jobs/…/${verb}`, status);
  };
  await move('accept', 'accepted');
  await move('start', 'running');
  await bytesAre(call, desk.token, `/api/operator/v1/files/${brief}/download`, source);
  tell('the operator: read the source', 'POST /api/operator/v1/files/…/download', 'the same bytes');
  const work = png(12);
  const studio = { presign: `/api/operator/v1/jobs/${job.id}/files/presign`, complete: '/api/operator/v1/files' };
  const logo = await upload(call, desk.token, studio, { file_name: 'logo.png' }, work);
  tell('the operator: upload the work', 'POST /api/operator/v1/jobs/…/files/presign, PUT, complete', logo);
  await move('submit', 'needs_review', { message: 'First version.', file_ids: [logo] });
  await call(404, 'POST', `/api/v1/files/${logo}/download`, { as });
  await move('pass', 'ready_for_customer_review');
  await bytesAre(call, as, `/api/v1/files/${logo}/download`, work);
  tell('download the delivered file', 'POST /api/v1/files/…/download', 'the same bytes');

  const { body: history } = await call(200, 'GET', job.links.events, { as });
  tell(
    'follow the events',
    'GET /api/v1/jobs/…/events',
    history.events.map((event: { type: string }) => event.type).join(' '),
  );

  const wish = { customer_instructions: 'Please make the wheat ear warmer and the name larger.' };
  const revised = await call(200, 'POST', job.links.revision, { as, body: wish, key: 'demo-2' });
  tell('ask for a revision', 'POST /api/v1/jobs/…/revision', revised.body.job.revisions);
  await move('release', 'queued');
  const robot = { name: 'robot', service_families: ['design'] };
  const { body: hired } = await call(201, 'POST', '/api/operator/v1/worker-keys', { as: desk.token, body: robot });
  tell(
    'the operator: make a worker key',
    'POST /api/operator/v1/worker-keys',
    `${hired.worker_key.prefix}, shown once`,
  );
  await haveWorkerDo(origin, hired.plaintext_key as string);
  await move('pass', 'ready_for_customer_review');

  const approved = await call(200, 'POST', job.links.approve, { as, key: 'demo-3' });
  expectThat(approved.body.job.status === 'completed', 'Approve should complete the job', approved);
  tell('approve the second delivery', 'POST /api/v1/jobs/…/approve', approved.body.job.status);

  const used = await call(200, 'GET', '/api/v1/usage', { as });
  expectThat(used.body.usage.totals.quantity === 1, 'One job should be used', used);
  tell('read the usage', 'GET /api/v1/usage', used.body.usage.totals);

  await talk(call, as);
}

const began = Date.now();
const folder = await mkdtemp(join(tmpdir(), 'atelier-demo-'));
// Open to traverse, so that the database of a service that runs as root can live in it and go with it.
await chmod(folder, 0o711);
const port = await freePort();
const service = await startService(folder, port);
try {
  await story(`http://127.0.0.1:${port}`);
  process.stdout.write(`\nDone: ${step} steps in ${((Date.now() - began) / 1000).toFixed(1)} s.\n`);
} catch (error) {
  process.stderr.write(`\nThe story broke: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  const ended = new Promise((resolve) => service.on('exit', resolve));
  service.kill('SIGTERM');
  await Promise.race([ended, wait(15_000, undefined, { ref: false })]);
  await rm(folder, { recursive: true, force: true });
}
