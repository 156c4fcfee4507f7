import { type Answer, answerOf, type CallOptions } from './call.ts';
import { AtelierError } from './error.ts';
import { dataOf } from './event-stream.ts';
import { type EventOptions, follow, type Source } from './events.ts';
import { createClient, createConfig } from './generated/client/index.ts';
import { Operations } from './generated/sdk.gen.ts';
import { defaultRetries, persistent, withCsrfToken } from './send.ts';
import { type CustomerUpload, type Steps, uploadBy, type UploadOptions } from './upload-by.ts';
import type { Finished, Task, WorkOptions } from './work.ts';
import type {
  AccountEvent,
  ErrorResponse,
  File,
  Job,
  JobListItem,
  JobStatus,
  ListJobsData,
  MovedJob,
  ReadJobResponse,
  RequestRevisionData,
} from './generated/types.gen.ts';

export { AtelierError };
export type { CallOptions, CustomerUpload, EventOptions, UploadOptions, WorkOptions };
export type { Answer, WithResponse } from './call.ts';
export type { Finished, Task } from './work.ts';
export { verifyWebhook, WebhookError } from './verify-webhook.ts';
export type * from './generated/types.gen.ts';

export type AtelierOptions = {
  /** Such as `https://atelier.example.com`. */
  url: string;
  /**
   * An API key, an access token or a session token, or what reads one for each request. Without it: public
   * operations, or the browser's cookie.
   */
  token?: string | (() => Promise<string>) | undefined;
  /** The token of a review link, for what its guests may do. Instead of `token`. */
  reviewToken?: string | undefined;
  /**
   * How often to repeat a request after a rate limit, a 503 or a lost connection. Default 3, and after a 503
   * that asks to try again soon as often as `maxWaitSeconds` allows.
   */
  retries?: number | undefined;
  /** The longest wait before a repetition. If the service asks for more, fails at once. Default 60. */
  maxWaitSeconds?: number | undefined;
  /** Seconds until a request counts as lost, and 10 more for long polls. Default 30. */
  timeoutSeconds?: number | undefined;
  fetch?: typeof fetch | undefined;
};

/** A job as it was read: `revisions.used` is the round of its delivery. */
export type SeenJob = Pick<Job, 'id' | 'revisions'>;
export type Changes = Omit<RequestRevisionData['body'], 'round'>;

const ended: JobStatus[] = ['completed', 'rejected', 'canceled'];

type Scheme = { name?: string };

/** Only the operations of guests take `Authorization` as a header of its own scheme. */
function credentialOf(token?: AtelierOptions['token'], reviewToken?: string) {
  if (token) return { auth: token };
  return reviewToken ? { auth: ({ name }: Scheme) => (name === 'Authorization' ? `Review ${reviewToken}` : undefined) } : {};
}

/** All operations by operation id, and shortcuts for common sequences. */
export class Atelier extends Operations {
  private readonly retries: number;

  constructor({ url, token, reviewToken, retries, timeoutSeconds = 30, maxWaitSeconds = 60, fetch: send = fetch }: AtelierOptions) {
    const baseUrl = url.replace(/\/$/, '');
    const once: typeof fetch = (...words) => send(...words);
    const patient = persistent(once, baseUrl);
    const guarded = withCsrfToken(baseUrl);
    const client = createClient(
      createConfig({ baseUrl, throwOnError: true, responseStyle: 'data', fetch: once, ...credentialOf(token, reviewToken) }),
    );
    client.interceptors.request.use((request, options) => {
      const call: CallOptions = options;
      const patience = {
        retries: call.retries ?? retries,
        timeoutSeconds: call.timeoutSeconds ?? timeoutSeconds,
        maxWaitSeconds,
      };
      if (call.idempotencyKey !== undefined) request.headers.set('idempotency-key', call.idempotencyKey);
      options.fetch = guarded(patient({ ...patience, signal: options.signal ?? undefined }), patient(patience));
      return request;
    });
    client.interceptors.error.use((error, response, _request, { signal }) => {
      if (signal?.aborted) return signal.reason;
      // The request was not sent, or this program has a fault.
      if (response === undefined || (error instanceof Error && !(error instanceof SyntaxError))) return error;
      const named = Number(response.headers.get('retry-after'));
      const notJson = { message: 'The service did not answer with JSON.', action: 'Check the address of the service.' };
      const said = (error as Partial<ErrorResponse>)?.error;
      // A proxy may answer for a service that is down.
      const isForeign = response.status < 500 && said?.code === undefined;
      const message = `${baseUrl} is no Atelier: it answered ${response.status} without an error code.`;
      const foreign = isForeign ? { message, action: 'Check the address of the service.' } : {};
      const envelope = error instanceof SyntaxError ? notJson : { ...foreign, ...said };
      return new AtelierError(response.status, { ...(named > 0 ? { retry_after_seconds: named } : {}), ...envelope }, error);
    });
    for (const method of ['get', 'post', 'patch', 'put', 'delete'] as const) {
      const ask = client[method] as (options: { responseStyle?: string }) => Promise<never>;
      const answering = (options: { responseStyle?: string }) =>
        options.responseStyle === 'data' ? answerOf(ask({ ...options, responseStyle: 'fields' })) : ask(options);
      client[method] = answering as never;
    }
    client.sse = { get: async (options: object) => ({ stream: dataOf(client.get as never, options) }) } as never;
    super({ client });
    this.retries = retries ?? defaultRetries;
  }

  /** Newest first. Loads pages as needed. */
  async *eachJob(query: Omit<NonNullable<ListJobsData['query']>, 'cursor'> = {}): AsyncGenerator<JobListItem> {
    let cursor: string | null = null;
    do {
      const page: { jobs: JobListItem[]; next_cursor: string | null } = await this.listJobs({
        query: { ...query, ...(cursor ? { cursor } : {}) },
      });
      yield* page.jobs;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  /**
   * Waits until the job has ended, reaches a status in `until`, or the studio asks a question, which
   * `next_action` of the answer has. Rejects with the reason of `signal`.
   */
  async waitForJob(
    id: string,
    { until = ['ready_for_customer_review'], signal }: { until?: JobStatus[] | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<ReadJobResponse> {
    const reached = (status: JobStatus) => [...ended, ...until].includes(status);
    const sent = signal ? { signal } : {};
    for (;;) {
      const { latest } = await this.listEvents({ query: { limit: 1 }, ...sent }); // read first, so that nothing is missed
      const read = await this.readJob({ path: { id }, ...sent });
      if (reached(read.job.status) || read.job.waiting_on !== null) return read;
      try {
        for await (const { type, job } of this.events({ after: latest, jobId: id, signal })) {
          if (job && reached(job.status)) return await this.readJob({ path: { id }, ...sent });
          if (type === 'job.question_asked') break; // unless somebody has already answered it
        }
      } catch (error) {
        if (!(error instanceof AtelierError) || error.code !== 'cursor_expired') throw error;
      }
      signal?.throwIfAborted();
    }
  }

  /**
   * Approves the delivery that `job` was read with. If there is another one by now, it throws
   * `delivery_changed`.
   */
  approveDelivery({ id, revisions }: SeenJob, options: CallOptions = {}): Answer<MovedJob> {
    return this.approveJob({ path: { id }, query: { round: revisions.used }, ...options });
  }

  /** Asks for changes of the delivery that `job` was read with, and sends all comments of its round. */
  requestChanges({ id, revisions }: SeenJob, changes: Changes, options: CallOptions = {}): Answer<MovedJob> {
    return this.requestRevision({ path: { id }, body: { ...changes, round: revisions.used }, ...options });
  }

  /**
   * Yields events as they are committed, after `after` or from the first `next()`. Resumes after breaks
   * without losing events, and ends with `signal`. Throws permanent errors, such as `cursor_expired` or a
   * revoked key. Without `after`, also throws `unreachable` if the service cannot be reached at the start.
   */
  events(options: EventOptions = {}): AsyncGenerator<AccountEvent> {
    const { client } = this;
    const list = (query: Parameters<Source['list']>[0]) =>
      this.listEvents({ query, ...(options.signal ? { signal: options.signal } : {}) });
    return follow({ client, list }, options);
  }

  /** Repeats a failed PUT, with a new URL if needed. */
  async uploadFile(file: string | Blob, options: CustomerUpload = {}): Promise<File> {
    const { purpose = 'job_source', jobId, retentionDays, signal } = options;
    const sent = signal ? { signal } : {};
    const steps: Steps = {
      presign: (fields, idempotencyKey) =>
        this.presignUpload({
          body: {
            purpose,
            ...fields,
            ...(jobId ? { job_id: jobId } : {}),
            ...(retentionDays ? { retention_days: retentionDays } : {}),
          },
          idempotencyKey,
          ...sent,
        }),
      complete: (id) => this.completeUpload({ path: { id }, ...sent }),
    };
    return uploadBy(steps, file, { retries: this.retries, ...options });
  }

  /**
   * Works for the studio, with a worker key: claims jobs, sends heartbeats, calls `handle` and submits its
   * uploads and message, or lets it ask the customer. If `handle` throws, the lease runs out and the job is
   * offered again. `signal` ends
   * the work and gives the current job back.
   */
  async work(handle: (task: Task) => Promise<Finished | void>, options: WorkOptions = {}): Promise<void> {
    const { workOn } = await import('./work.ts'); // pages load the client without it
    return workOn(this, this.retries, handle, options);
  }
}
