import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Atelier, AtelierError } from '../client/atelier.ts';
import { compare, follow, listen } from './demo-events.ts';
import { must, tell } from './demo-tell.ts';

/** One job from plan to approval, and one from a conversation, all through the client. */

export const operator = { email: 'desk@atelier.example', password: 'a desk of one’s own' };

/** Also remembers the last response, for steps that show a header or status. */
function open(url: string, token?: string) {
  const seen: { last: Response | null } = { last: null };
  const watch = (async (...words: Parameters<typeof fetch>) => (seen.last = await fetch(...words))) as typeof fetch;
  return Object.assign(new Atelier({ url, fetch: watch, ...(token ? { token } : {}) }), { seen });
}

/** Reads the mail from the mailbox and presses its button. */
async function verify(url: string, ada: Atelier, email: string): Promise<void> {
  const shown = await fetch(`${url}/sandbox/mail`, { headers: { accept: 'application/json' } });
  const { mails } = (await shown.json()) as { mails: { to: string; subject: string; text: string }[] };
  const mail = mails.find(({ to }) => to === email);
  tell('read the mail', 'GET /sandbox/mail', mail?.subject);
  const mailed = /verify-email\?token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
  tell('verify the address', 'POST /api/auth/verify-email', await ada.verifyEmail({ body: { token: mailed } }));
}

async function takePlan(ada: Atelier): Promise<void> {
  const { checkout } = await ada.startCheckout({ body: { plan_code: 'studio' } });
  tell('start a checkout', 'POST /api/checkout/tier {tier: studio}', checkout);
  const paid = await fetch(`${checkout.url}/pay`, { method: 'POST' });
  must(paid.ok, 'Paying should work');
  tell(
    'pay at the sandbox',
    `POST ${new URL(checkout.url).pathname.slice(0, 24)}…`,
    'a signed event came to the webhook',
  );
  const [plan] = (await ada.listEntitlements()).entitlements;
  must(plan?.status === 'active', 'The plan should be active');
  tell('the plan is there', 'GET /api/v1/entitlements', `${plan.plan_code}: ${plan.remaining} of ${plan.quota} jobs`);
}

const draft = (customer_instructions: string) => ({
  service_family: 'design',
  service_type: 'logo',
  customer_title: 'Logo for a neighbourhood bakery',
  customer_instructions,
});

/** Reads the catalog, finds what is missing and returns an acceptable draft. */
async function prepare(agent: Atelier): Promise<ReturnType<typeof draft>> {
  const family = (await agent.readCatalog()).service_families.find(({ id }) => id === 'design');
  must(family !== undefined, 'The catalog should have the family design');
  tell('read the catalog', 'GET /api/v1/catalog', family.intake_requirements);
  const check = async (body: ReturnType<typeof draft>) => (await agent.checkIntent({ body })).intent_check;
  const thin = await check(draft('We need a logo.'));
  must(!thin.ready, 'A thin draft should not be ready');
  tell('check a thin draft', 'POST /api/v1/catalog/intent-check', thin.missing_intake_requirements);
  const full = draft(family.intake_hints.map(({ requirement, example }) => `${requirement}: ${example}`).join('\n'));
  must((await check(full)).ready, 'A full draft should be ready');
  tell('check the full draft', 'POST /api/v1/catalog/intent-check', { ready: true });
  const { preflight } = await agent.preflightJob({ body: full });
  must(preflight.ready_to_create, 'The full draft should be taken');
  tell('ask whether it would be taken', 'POST /api/v1/jobs/preflight', preflight);
  return full;
}

const png = (width: number) =>
  Buffer.from(`\x89PNG\r\n\x1a\n a picture of ${width} wheat ears`.padEnd(50_000, '.'), 'latin1');

async function sameBytes(url: string, expected: Buffer): Promise<void> {
  const got = Buffer.from(await (await fetch(url)).arrayBuffer());
  must(got.equals(expected), 'The download should have the very bytes that were uploaded');
}

type Moves = 'acceptJob' | 'startJob' | 'submitJob' | 'passJob' | 'releaseJob';

/** Makes the operator's moves of one job and prints each status. */
function mover(desk: Atelier, id: string) {
  return async (move: Moves, status: string, body: object = {}): Promise<void> => {
    const { job } = await desk[move]({ path: { id }, body: body as never });
    must(job.status === status, `${move} should lead to ${status}, not ${job.status}`);
    const verb = move.replace('Job', '');
    tell(`the operator: ${verb}`, `POST /api/operator/v1/jobs/…/${verb}`, status);
  };
}

/** The studio asks, and the clock of the job stands still until the customer answers. */
async function askAndAnswer(desk: Atelier, agent: Atelier, id: string): Promise<void> {
  const question = { text: 'Should the wheat ear stand or lie?', question: true };
  await desk.sendDeskMessage({ path: { id }, body: question });
  const { job: waiting, next_action } = await agent.waitForJob(id);
  must(waiting.waiting_on === 'customer' && waiting.due_at === null, 'The job should wait for the customer');
  tell('the operator: ask', 'POST /api/operator/v1/jobs/…/messages', next_action?.split('\n')[0]);
  await agent.sendMessage({ path: { id }, body: { text: 'Standing, please.' } });
  const { job } = await agent.readJob({ path: { id } });
  must(job.waiting_on === null && job.due_at !== null, 'The answer should start the clock again');
  tell('answer', 'POST /api/v1/jobs/…/messages', `due ${job.due_at}`);
}

/** Delivers a file, which the customer sees after quality review. */
async function deliver(
  desk: Atelier,
  agent: Atelier,
  id: string,
  source: { id: string; bytes: Buffer },
): Promise<void> {
  const move = mover(desk, id);
  await move('acceptJob', 'accepted');
  await move('startJob', 'running');
  await sameBytes((await desk.downloadJobFile({ path: { id: source.id }, body: {} })).download.url, source.bytes);
  tell('the operator: read the source', 'POST /api/operator/v1/files/…/download', 'the same bytes');
  await askAndAnswer(desk, agent, id);
  const work = png(12);
  const wish = { content_type: 'image/png', size_bytes: work.length, file_name: 'logo.png' };
  const { file, upload } = await desk.presignDeliverable({ path: { id }, body: wish });
  await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: new Uint8Array(work) });
  await desk.completeDeliverable({ path: { id: file.id } });
  tell('the operator: upload the work', 'POST /api/operator/v1/jobs/…/files/presign, PUT, complete', file.id);
  await move('submitJob', 'needs_review', { message: 'First version.', file_ids: [file.id] });
  const early = await agent.createDownload({ path: { id: file.id } }).catch((error: unknown) => error);
  must(early instanceof AtelierError && early.status === 404, 'Work that has not passed should not be visible');
  await move('passJob', 'ready_for_customer_review');
  await sameBytes((await agent.createDownload({ path: { id: file.id } })).download.url, work);
  tell('download the delivered file', 'POST /api/v1/files/…/download', 'the same bytes');
}

/** Starts the worker as a process that knows only the address and its key. */
async function haveWorkerDo(url: string, key: string): Promise<void> {
  const worker = spawn(process.execPath, [join(import.meta.dirname, 'demo-worker.ts')], {
    env: { ...process.env, SERVICE_URL: url, WORKER_KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  worker.stdout.on('data', (chunk: Buffer) => void (printed += chunk.toString()));
  const code = await new Promise((resolve) => worker.on('close', resolve));
  must(code === 0, `The worker ended with ${String(code)}`);
  for (const line of printed.trim().split('\n')) {
    const [verb = '', came] = line.split('\t');
    tell(`the worker: ${verb}`, `POST /api/operator/v1/jobs/…/${verb}`.replace('…/claim', 'claim'), came);
  }
}

/** A worker does the revision, and the customer approves it. */
async function revise(url: string, desk: Atelier, agent: Atelier, id: string): Promise<void> {
  const wish = { customer_instructions: 'Please make the wheat ear warmer and the name larger.' };
  const { job: delivered } = await agent.readJob({ path: { id } });
  const { job: revised } = await agent.requestChanges(delivered, wish);
  tell('ask for a revision', 'POST /api/v1/jobs/…/revision', revised.revisions);
  const move = mover(desk, id);
  await move('releaseJob', 'queued');
  const robot = { name: 'robot', service_families: ['design'] };
  const { worker_key, plaintext_key } = await desk.createWorkerKey({ body: robot });
  must(plaintext_key !== null, 'A new worker key should be shown');
  tell('the operator: make a worker key', 'POST /api/operator/v1/worker-keys', `${worker_key.prefix}, shown once`);
  await haveWorkerDo(url, plaintext_key);
  await move('passJob', 'ready_for_customer_review');
  const { job } = await agent.waitForJob(id);
  must(job.allowed_actions.includes('approve'), 'The job should wait for its approval');
  const { job: approved } = await agent.approveDelivery(job);
  must(approved.status === 'completed', 'Approve should complete the job');
  tell('approve the second delivery', 'POST /api/v1/jobs/…/approve', approved.status);
}

async function talk(agent: Atelier): Promise<void> {
  const { intake_session: session } = await agent.openIntake({ body: { service_family: 'writing' } });
  const path = { id: session.id };
  tell('talk with the concierge', 'POST /api/v1/intake/sessions {writing}', session.messages[0]?.content);
  const say = async (content: string) => {
    const said = await agent.addMessage({ path, body: { content } });
    tell(
      `say “${content.length > 24 ? `${content.slice(0, 24)}…` : content}”`,
      'POST /api/v1/intake/sessions/…/messages',
      said.message.content,
    );
    return said.intake_session;
  };
  await say('A blog article about why sourdough keeps, please.');
  const accepted = await agent.answerIntake({ path, body: { requirement: 'Main topic', accept: true } });
  tell('accept what it found', 'POST /api/v1/intake/sessions/…/answers', accepted.intake_session.answers);
  await say('Home bakers');
  await say('Friendly and plain');
  await say('1,200 words');
  await say('Length: 1,000 words');
  await say('Feeding schedule and storage');
  const { intent_brief: brief } = await say('skip');
  const confirmed = await agent.confirmBrief({ path, body: { brief_version: brief?.version ?? 0 } });
  tell('confirm the brief', 'POST /api/v1/intake/sessions/…/confirm', confirmed.job);
  const { job } = await agent.readJob({ path: { id: confirmed.job.id } });
  must(job.source === 'intake', 'The job should come from the conversation');
  const answers = job.intent_brief?.answered_requirements.map(({ answer }) => answer).toSorted();
  const expected = [
    '1,000 words',
    'Feeding schedule and storage',
    'Friendly and plain',
    'Home bakers',
    'why sourdough keeps',
  ];
  must(
    JSON.stringify(answers) === JSON.stringify(expected),
    `The brief should have each answer, not ${String(answers)}`,
  );
  tell('the job has the brief', 'GET /api/v1/jobs/…', answers);
}

export async function story(url: string, folder: string): Promise<void> {
  const me = { name: 'Ada', email: 'ada@atelier.example', password: 'correct horse battery' };
  const { token, user } = await open(url).signUp({ body: me });
  tell('sign up', 'POST /api/auth/sign-up/email', user);
  const ada = open(url, token);
  await verify(url, ada, me.email);
  await takePlan(ada);
  const { api_key, plaintext_key } = await ada.createApiKey({ body: { name: 'demo agent' } });
  must(plaintext_key !== null, 'A new key should be shown');
  tell('make a key for the agent', 'POST /api/v1/api-keys', `${api_key.prefix}, shown once`);
  const agent = open(url, plaintext_key);
  const receiver = await listen(ada);
  const full = await prepare(agent);

  const source = png(1);
  const path = join(folder, 'wheat.png');
  await writeFile(path, source);
  const file = await agent.uploadFile(path);
  tell('upload a source file', 'POST /api/v1/files/presign, PUT, complete', file.id);

  const order = { body: { ...full, file_ids: [file.id] }, headers: { 'Idempotency-Key': 'demo-1' } };
  const { latest } = await agent.listEvents();
  const { job } = await agent.createJob(order);
  tell('create the job', 'POST /api/v1/jobs', job);
  const streamed = follow(agent, latest, job.id);
  const again = await agent.createJob(order);
  const replayed = agent.seen.last?.headers.get('idempotent-replayed');
  must(again.job.id === job.id && replayed === 'true', 'A replay should answer the same job');
  tell('send it again with the same key', 'POST /api/v1/jobs', '200, the same job, Idempotent-Replayed: true');

  const desk = open(url, (await open(url).signIn({ body: operator })).token);
  await deliver(desk, agent, job.id, { id: file.id, bytes: source });
  await revise(url, desk, agent, job.id);
  await compare(agent, job.id, streamed, receiver);
  const { usage } = await agent.readUsage();
  must(usage.totals.quantity === 1, 'One job should be used');
  tell('read the usage', 'GET /api/v1/usage', usage.totals);
  await talk(agent);
  receiver.close();
}
