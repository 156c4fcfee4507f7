import type { AccountEvent, Atelier } from '../client/atelier.ts';
import { createReceiver, type Receiver } from './demo-receiver.ts';
import { must, tell } from './demo-tell.ts';

/** Prints the stream's events of a job until it is completed. */
export async function follow(agent: Atelier, after: number, jobId: string): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of agent.events({ after, jobId })) {
    types.push(type);
    if (type === 'job.completed') break;
  }
  return types;
}

/** Creates an endpoint of the account and a server that receives its deliveries. */
export async function listen(ada: Atelier): Promise<Receiver> {
  const receiver = await createReceiver();
  const { webhook_endpoint, secret } = await ada.createWebhookEndpoint({ body: { url: receiver.url } });
  must(secret !== null, 'A new secret should be shown');
  receiver.secrets.push(secret);
  tell('make a webhook endpoint', 'POST /api/v1/webhook-endpoints', `${webhook_endpoint.id}, its secret shown once`);
  await ada.testWebhookEndpoint({ path: { id: webhook_endpoint.id } });
  const { type } = await receiver.next(({ type }) => type === 'webhook_endpoint.test');
  tell('send it a test', 'POST /api/v1/webhook-endpoints/…/test', `${type}, its signature verified`);
  return receiver;
}

/** Checks that stream, webhook and history agree. */
export async function compare(
  agent: Atelier,
  id: string,
  streamed: Promise<string[]>,
  receiver: Receiver,
): Promise<void> {
  const { events } = await agent.listJobEvents({ path: { id } });
  const history = events.map(({ type }) => type);
  must(String(await streamed) === String(history), 'The stream should tell the history of the job');
  tell('it was followed by the stream', 'GET /api/v1/events/stream', history.map((type) => type.slice(4)).join(' '));
  const last: AccountEvent = await receiver.next(({ type, job }) => type === 'job.completed' && job?.id === id);
  const posted = receiver.received.filter(({ job }) => job?.id === id);
  must(posted.length === history.length, 'Each event of the job should be posted once');
  tell('each event came as a webhook too', 'POST /, signed', `${posted.length} of the job, the last ${last.type}`);
}
