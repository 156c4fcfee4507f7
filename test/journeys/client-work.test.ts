import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Atelier, AtelierError, type Task } from '../../client/atelier.ts';
import { freePort } from '../faults/process.ts';
import { createStudio, makeMoves, post, readJob, type Studio } from '../support/jobs.ts';
import { lonelyJob, makeWorker, runOut, sweep } from '../support/workers.ts';

let studio: Studio;
beforeAll(async () => {
  const port = await freePort(); // its upload addresses must lead back to it
  studio = await createStudio({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
});
afterAll(() => studio.service.close());

const within = { timeout: 30_000 };

/** A worker that takes the jobs of one family, until the test stops it. */
async function startWorker(
  family: string,
  handle: (task: Task) => Promise<{ message?: string } | void>,
  leaseSeconds = 6,
) {
  const worker = new Atelier({ url: studio.service.url, token: await makeWorker(studio) });
  const [ended, failed] = [new AbortController(), [] as unknown[]];
  const onError = (error: unknown) => void failed.push(error);
  const done = worker.work(handle, { families: [family], leaseSeconds, onError, signal: ended.signal });
  return {
    failed,
    stop: async () => {
      ended.abort();
      await done;
    },
  };
}

const statusOf = async (id: string) => (await readJob(studio.service, studio.key, id)).job.status;
const reason = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));

test('a job is claimed, started, kept by heartbeats, and submitted with its file and message', async () => {
  const { id, family } = await lonelyJob(studio);
  const files: string[] = [];
  const worker = await startWorker(family, async ({ job, upload }) => {
    expect([job.id, await statusOf(id)]).toEqual([id, 'running']);
    await new Promise((resolve) => setTimeout(resolve, 7_000)); // longer than the lease
    const file = await upload(new Blob(['# Rise Bakery']), { fileName: 'logo.md' });
    files.push(file.id);
    return { message: 'Here it is.' };
  });
  await vi.waitFor(async () => expect(await statusOf(id)).toBe('needs_review'), within);
  const { body } = await studio.service.call('GET', `/api/operator/v1/jobs/${id}`, { as: studio.operator.token });
  expect(JSON.stringify(body)).toContain('Here it is.');
  expect(body.job.files).toMatchObject([{ id: files[0], file_name: 'logo.md', status: 'uploaded' }]);
  expect(worker.failed).toEqual([]);
  await worker.stop();
});

test('the signal aborts when the customer cancels, and nothing is submitted', async () => {
  const { id, family } = await lonelyJob(studio);
  const reasons: unknown[] = [];
  const worker = await startWorker(family, async ({ signal }) => {
    await post(studio.service, studio.key, `/api/v1/jobs/${id}/cancel`);
    reasons.push(await reason(signal));
    return { message: 'Too late.' };
  });
  await vi.waitFor(() => expect(reasons).toMatchObject([{ message: 'The customer has canceled the job.' }]), within);
  expect(await statusOf(id)).toBe('canceled');
  expect(worker.failed).toEqual([]);
  await worker.stop();
});

test('the signal aborts when the lease is lost', async () => {
  const { id, family } = await lonelyJob(studio);
  const reasons: unknown[] = [];
  const worker = await startWorker(family, async ({ signal }) => {
    if (reasons.length > 0) return { message: 'At the second try.' };
    await runOut(studio, id);
    await sweep(studio);
    reasons.push(await reason(signal));
    return { message: 'Too late.' };
  });
  await vi.waitFor(() => expect(reasons).toMatchObject([{ code: 'lease_lost' }]), within);
  expect(reasons[0]).toBeInstanceOf(AtelierError);
  await vi.waitFor(() => expect(worker.failed).toMatchObject([{ code: 'lease_lost' }]), within);
  await vi.waitFor(async () => expect(await statusOf(id)).toBe('needs_review'), within);
  await worker.stop();
});

test('a handler asks the customer: the job waits, and comes back first with the answer', async () => {
  const { id, family } = await lonelyJob(studio);
  const seen: string[][] = [];
  const worker = await startWorker(family, async ({ messages, ask, signal }) => {
    seen.push(messages.map(({ text }) => text ?? ''));
    if (messages.length > 0) return { message: `In ${messages[0]?.text}.` };
    await ask('Which green?');
    expect(signal.aborted).toBe(true);
  });
  const read = async () => (await readJob(studio.service, studio.key, id)).job;
  await vi.waitFor(
    async () => expect(await read()).toMatchObject({ status: 'queued', waiting_on: 'customer' }),
    within,
  );
  const customer = new Atelier({ url: studio.service.url, token: studio.key });
  const { job, next_action } = await customer.waitForJob(id);
  expect([job.waiting_on, next_action]).toEqual(['customer', expect.stringContaining('Which green?')]);
  await customer.sendMessage({ path: { id }, body: { text: 'dark green' } });
  await vi.waitFor(async () => expect(await statusOf(id)).toBe('needs_review'), within);
  expect(seen).toEqual([[], ['dark green', 'Which green?']]);
  expect(worker.failed).toEqual([]);
  await worker.stop();
});

test('a handler writes to the customer and withdraws what was wrong', async () => {
  const { id, family } = await lonelyJob(studio);
  const worker = await startWorker(family, async ({ send, withdraw }) => {
    await send('I have begun.');
    const { id: mistake } = await send('It will be blue.');
    await withdraw(mistake);
    return { message: 'Here it is.' };
  });
  await vi.waitFor(async () => expect(await statusOf(id)).toBe('needs_review'), within);
  const customer = new Atelier({ url: studio.service.url, token: studio.key });
  const { messages } = await customer.listMessages({ path: { id } });
  expect(messages.map(({ text }) => text)).toEqual([null, 'I have begun.']);
  expect(worker.failed).toEqual([]);
  await worker.stop();
});

test('a worker that ends gives its job back at once', async () => {
  const { id, family } = await lonelyJob(studio);
  const started = Promise.withResolvers<void>();
  const worker = await startWorker(
    family,
    async ({ signal }) => {
      started.resolve();
      throw await reason(signal);
    },
    300,
  );
  await started.promise;
  await worker.stop();
  expect(await statusOf(id)).toBe('queued');
});

/** Of the job, as the desk reads them. */
async function notesOf(id: string): Promise<string[]> {
  const { body } = await studio.service.call('GET', `/api/operator/v1/jobs/${id}`, { as: studio.operator.token });
  return body.job.notes.map((note: { body: string }) => note.body);
}

test('a handler gives a job up: the studio reads why, the signal aborts, and nothing failed', async () => {
  const { id, family } = await lonelyJob(studio);
  const aborted: boolean[] = [];
  const worker = await startWorker(family, async ({ giveUp, signal }) => {
    await giveUp('The source file cannot be read.');
    aborted.push(signal.aborted);
  });
  await vi.waitFor(async () => expect(await notesOf(id)).toEqual(['The source file cannot be read.']), within);
  await vi.waitFor(() => expect(aborted).toEqual([true]), within);
  expect(await statusOf(id)).toBe('queued');
  expect(worker.failed).toEqual([]);
  await worker.stop();
});

test('a handler that throws is told, and without anybody to tell it ends the work', async () => {
  const { id, family } = await lonelyJob(studio);
  const worker = await startWorker(family, () => Promise.reject(new TypeError('no ink for token s3cret')));
  await vi.waitFor(() => expect(worker.failed).toMatchObject([{ message: 'no ink for token s3cret' }]), within);
  await worker.stop();
  expect([await statusOf(id), await notesOf(id)]).toEqual(['queued', ['The worker failed: TypeError.']]);

  const other = await lonelyJob(studio);
  const alone = new Atelier({ url: studio.service.url, token: await makeWorker(studio) });
  await expect(alone.work(() => Promise.reject(new Error('no ink')), { families: [other.family] })).rejects.toThrow(
    'no ink',
  );
});

test('a key that may not work is an error at once; no job at all is null', async () => {
  const customer = new Atelier({ url: studio.service.url, token: studio.key });
  await expect(customer.work(async () => {})).rejects.toMatchObject({ code: 'credential_not_accepted' });
  const worker = new Atelier({ url: studio.service.url, token: await makeWorker(studio) });
  expect(await worker.claimJob({ body: { service_families: ['nothing'] } })).toBeNull();
});

test('a worker reads the comments of a revision and marks them as done', async () => {
  const { id, family } = await lonelyJob(studio);
  const notes: string[] = [];
  const worker = await startWorker(family, async ({ revision, complete, upload }) => {
    for (const { id: comment, text } of revision?.comments ?? []) {
      notes.push(text);
      await complete(comment, 'Done so.');
    }
    await upload(new Blob(['# Rise Bakery']), { fileName: 'logo.md' });
    return { message: 'Here it is.' };
  });
  await vi.waitFor(async () => expect(await statusOf(id)).toBe('needs_review'), within);
  await makeMoves(studio, id, 'pass');
  const agent = new Atelier({ url: studio.service.url, token: studio.key });
  const { job } = await agent.readJob({ path: { id } });
  const file_id = job.deliveries[0]?.file_ids[0] ?? '';
  await agent.requestChanges(job, { comments: [{ file_id, text: 'A warmer title.', at: 'line=0,1' }] });
  await expect(agent.approveDelivery(job)).rejects.toMatchObject({ code: 'delivery_changed' });
  await vi.waitFor(async () => expect(await statusOf(id)).toBe('needs_review'), within);
  await makeMoves(studio, id, 'pass');
  const { revision } = await agent.readJob({ path: { id } });
  expect(revision?.comments).toMatchObject([{ text: 'A warmer title.', at: 'line=0,1', done_note: 'Done so.' }]);
  expect([notes, worker.failed]).toEqual([['A warmer title.'], []]);
  await worker.stop();
});
