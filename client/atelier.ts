import { AtelierError } from './error.ts';
import { type EventOptions, follow, type Source } from './events.ts';
import { createClient, createConfig } from './generated/client/index.ts';
import { Operations } from './generated/sdk.gen.ts';
import { persistent, wait, withCsrfToken } from './send.ts';
import { open, type Progress, put, typeOf } from './upload.ts';
import type { AccountEvent, ErrorResponse, File, JobListItem, ListJobsData, PresignUploadData, ReadJobResponse } from './generated/types.gen.ts';

export { AtelierError };
export type { EventOptions };
export { verifyWebhook } from './verify-webhook.ts';
export type * from './generated/types.gen.ts';

export type AtelierOptions = {
  /** Such as `https://atelier.example.com`. */
  url: string;
  /** An API key or session token. Without it: public operations, or the browser's cookie. */
  token?: string | undefined;
  /** How often to repeat a request after a rate limit, a 503 or a lost connection. Default 3. */
  retries?: number | undefined;
  /** The longest wait before a repetition. If the service asks for more, fails at once. Default 60. */
  maxWaitSeconds?: number | undefined;
  fetch?: typeof fetch | undefined;
};

export type UploadOptions = {
  /** Default: `job_source`. */
  purpose?: PresignUploadData['body']['purpose'] | undefined;
  /** Default: the name of the file. */
  fileName?: string | undefined;
  /** Default: by the file extension. */
  contentType?: string | undefined;
  /** An open job. Without it, pass the file in `file_ids` when creating a job. */
  jobId?: string | undefined;
  /** 1 to 365, default 90. */
  retentionDays?: number | undefined;
  /** Default: a new one. The same key returns the same file without sending it again. */
  idempotencyKey?: string | undefined;
  progress?: Progress | undefined;
  signal?: AbortSignal | undefined;
};

const ended = ['completed', 'rejected', 'canceled'];

/** All operations by operation id, and shortcuts for common sequences. */
export class Atelier extends Operations {
  private readonly retries: number;
  private readonly send: typeof fetch;

  constructor({ url, token, retries = 3, maxWaitSeconds = 60, fetch: send = fetch }: AtelierOptions) {
    const baseUrl = url.replace(/\/$/, '');
    const once: typeof fetch = (...words) => send(...words);
    const patient = persistent(once, { baseUrl, retries, maxWaitSeconds });
    const client = createClient(
      createConfig({
        baseUrl,
        throwOnError: true,
        responseStyle: 'data',
        fetch: withCsrfToken(patient, baseUrl),
        ...(token ? { auth: token } : {}),
      }),
    );
    client.interceptors.error.use((error, response, _request, { signal }) => {
      if (signal?.aborted) return signal.reason;
      if (error instanceof AtelierError) return error;
      const named = Number(response?.headers.get('retry-after'));
      const notJson = { message: 'The service did not answer with JSON.', action: 'Check the address of the service.' };
      const details = error instanceof SyntaxError ? notJson : ((error as Partial<ErrorResponse>)?.error ?? {});
      return new AtelierError(response?.status ?? 0, { ...(named > 0 ? { retry_after_seconds: named } : {}), ...details }, error);
    });
    super({ client });
    this.retries = retries;
    this.send = once;
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

  /** Waits until the job has ended or reaches a status in `until`. Rejects with the reason of `signal`. */
  async waitForJob(
    id: string,
    { until = ['ready_for_customer_review'], signal }: { until?: string[] | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<ReadJobResponse> {
    const reached = (status: string) => [...ended, ...until].includes(status);
    const sent = signal ? { signal } : {};
    for (;;) {
      const { latest } = await this.listEvents({ query: { limit: 1 }, ...sent }); // read first, so that nothing is missed
      const read = await this.readJob({ path: { id }, ...sent });
      if (reached(read.job.status)) return read;
      try {
        for await (const { job } of this.events({ after: latest, jobId: id, signal }))
          if (job && reached(job.status)) return await this.readJob({ path: { id }, ...sent });
      } catch (error) {
        if (!(error instanceof AtelierError) || error.code !== 'cursor_expired') throw error;
      }
      signal?.throwIfAborted();
    }
  }

  /**
   * Yields events as they are committed, after `after` or from the first `next()`. Resumes after breaks
   * without losing events, and ends with `signal`. Throws permanent errors, such as `cursor_expired` or a
   * revoked key. Without `after`, also throws `unreachable` if the service cannot be reached at the start.
   */
  events(options: EventOptions = {}): AsyncGenerator<AccountEvent> {
    const { client, send } = this;
    const list = (query: Parameters<Source['list']>[0]) =>
      this.listEvents({ query, ...(options.signal ? { signal: options.signal } : {}) });
    return follow({ client, send, list }, options);
  }

  /** Repeats a failed PUT, with a new URL if needed. */
  async uploadFile(file: string | Blob, options: UploadOptions = {}): Promise<File> {
    const { bytes, name } = await open(file);
    const { purpose = 'job_source', fileName = name, jobId, retentionDays, progress = () => {}, signal } = options;
    const body = {
      purpose,
      file_name: fileName,
      content_type: options.contentType ?? (bytes.type || typeOf(fileName)),
      size_bytes: bytes.size,
      ...(jobId ? { job_id: jobId } : {}),
      ...(retentionDays ? { retention_days: retentionDays } : {}),
    };
    const headers = { 'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() };
    for (let tried = 0; ; tried++) {
      const { file: presigned, upload } = await this.presignUpload({ body, headers });
      const isSent = presigned.status !== 'pending_upload'; // by an earlier call with the same key
      const sending = isSent ? Promise.resolve(200) : put(upload, bytes, progress, signal);
      const status = await sending.catch((error: unknown) => {
        if (signal?.aborted) throw signal.reason;
        if (tried >= this.retries) throw new AtelierError(0, {}, error);
        return 0;
      });
      if (status >= 200 && status < 300) {
        const { file: completed } = await this.completeUpload({ path: { id: presigned.id } });
        return completed;
      }
      if (status !== 0 && (status < 500 || tried >= this.retries))
        throw new AtelierError(status, { message: `The storage answered the upload with ${status}.` });
      await wait(0.5 * 2 ** tried, signal);
    }
  }
}
