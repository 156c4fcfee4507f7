import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Atelier, AtelierError, type Task } from '../../client/atelier.ts';
import { freePort } from '../faults/process.ts';
import { createStudio, post, readJob, type Studio } from '../support/jobs.ts';
import { lonelyJob, makeWorker, runOut, sweep } from '../support/workers.ts';

let studio: Studio;
beforeAll(async () => {
  const port = await freePort(); // its upload addresses must lead back to it
  studio = await createStudio({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
});
afterAll(() => studio.service.close());

const within = { timeout: 15_000 };

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
  await vi.waitFor(async () => expect(await statusOf(id)).toBe('needs_review'), within);
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

test('a handler that throws is told, and without anybody to tell it ends the work', async () => {
  const { family } = await lonelyJob(studio);
  const worker = await startWorker(family, () => Promise.reject(new Error('no ink')));
  await vi.waitFor(() => expect(worker.failed).toMatchObject([{ message: 'no ink' }]), within);
  await worker.stop();

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
