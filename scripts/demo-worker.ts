/**
 * The smallest complete worker, run by the demo as a process of its own: claim, start, heartbeat, submit.
 * Prints each request and answer as `request<tab>answer`. A real worker would send heartbeats at a third of
 * the lease and stop at `cancel_requested` or `lease_lost`.
 */
const [origin = '', key = ''] = [process.env.SERVICE_URL, process.env.WORKER_KEY];

async function ask<Answer>(path: string, body: object): Promise<Answer> {
  const response = await fetch(`${origin}/api/operator/v1/jobs/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}
const print = (requestLine: string, came: string) => process.stdout.write(`${requestLine}\t${came}\n`);

type Lease = { token: string; expires_at: string };
type Job = { id: string; status: string; revision_requests: { customer_instructions: string }[] };

const { job, lease } = await ask<{ job: Job; lease: Lease }>('claim', { lease_seconds: 30, wait: 10 });
print('claim', `${job.status}, to do: ${job.revision_requests.at(-1)?.customer_instructions}`);
const leaseToken = { lease_token: lease.token };
print('start', (await ask<{ job: Job }>(`${job.id}/start`, leaseToken)).job.status);
const beat = await ask<{ cancel_requested: boolean }>(`${job.id}/heartbeat`, leaseToken);
print('heartbeat', `held for another 30 s, cancel_requested: ${beat.cancel_requested}`);
const done = await ask<{ job: Job }>(`${job.id}/submit`, { ...leaseToken, message: 'Second version.' });
print('submit', done.job.status);
