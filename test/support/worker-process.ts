import { setTimeout as wait } from 'node:timers/promises';

/**
 * A worker as a separate process. It claims and starts a job, sends a heartbeat each second, submits and
 * claims again, until it is killed or its standard input ends. It prints a JSON line for each answer. It
 * submits even after a refused heartbeat, so that tests see how late submissions are answered.
 */
const { SERVICE_URL, WORKER_KEY, WORK_MS } = process.env;

// Tests read any field of an answer.
// oxlint-disable-next-line typescript/no-explicit-any
async function ask(verb: string, job: string | null, body: object): Promise<any> {
  const path = `/api/operator/v1/jobs/${job === null ? '' : `${job}/`}${verb}`;
  const response = await fetch(SERVICE_URL + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${WORKER_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = response.status === 204 ? null : await response.json();
  if (answer !== null) {
    const line = { verb, status: response.status, job: job ?? answer.job.id, code: answer.error?.code };
    const token = answer.lease?.token ?? (body as { lease_token?: string }).lease_token;
    process.stdout.write(`${JSON.stringify({ ...line, token, expires_at: answer.lease?.expires_at })}\n`);
  }
  return answer;
}

async function work(): Promise<void> {
  const claimed = await ask('claim', null, { lease_seconds: 5 });
  if (claimed === null) return wait(100);
  const { job, lease } = claimed;
  const fence = { lease_token: lease.token };
  await ask('start', job.id, fence);
  const until = Date.now() + Number(WORK_MS);
  while (Date.now() < until) {
    await wait(1_000);
    await ask('heartbeat', job.id, fence);
  }
  await ask('submit', job.id, { ...fence, message: 'Done.' });
}

process.stdin.resume().on('end', () => process.exit());
for (;;) await work();
