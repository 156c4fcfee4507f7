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
  /** Where the service is, such as `https://atelier.example.com`. */
  url: string;
  /** An API key or a session token. Left out: only public operations, or the cookie of a browser. */
  token?: string | undefined;
  /** How often a request is sent again after a rate limit, a 503 or a lost connection. Default 3. */
  retries?: number | undefined;
  /** The longest wait before a request is sent again. Where the service asks for a longer one, its error comes at once. Default 60. */
  maxWaitSeconds?: number | undefined;
  fetch?: typeof fetch | undefined;
};

export type UploadOptions = {
  /** Default: `job_source`. */
  purpose?: PresignUploadData['body']['purpose'] | undefined;
  /** Default: the name of the file. */
  fileName?: string | undefined;
  /** Default: by the ending of the name. */
  contentType?: string | undefined;
  /** A job that has not ended; left out, name the file in `file_ids` when you create one. */
  jobId?: string | undefined;
  /** 1 to 365, default 90. */
  retentionDays?: number | undefined;
  /** Default: a new one. Again with the same one is the same file, which is not sent a second time. */
  idempotencyKey?: string | undefined;
  progress?: Progress | undefined;
  signal?: AbortSignal | undefined;
};

const ended = ['completed', 'rejected', 'canceled'];

/** Every operation of the API by its operation id, with what a caller would otherwise write around it. */
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
      const told = error instanceof SyntaxError ? notJson : ((error as Partial<ErrorResponse>)?.error ?? {});
      return new AtelierError(response?.status ?? 0, { ...(named > 0 ? { retry_after_seconds: named } : {}), ...told }, error);
    });
    super({ client });
    this.retries = retries;
    this.send = once;
  }

  /** The account's jobs, newest first, page after page as they are needed. */
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
   * Follows a job until it has ended, or until it is ready for your review: whichever of `until` it reaches first. The answer
   * is the job as it stands then. Rejects with the reason of `signal` when it aborts.
   */
  async waitForJob(
    id: string,
    { until = ['ready_for_customer_review'], signal }: { until?: string[] | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<ReadJobResponse> {
    const reached = (status: string) => [...ended, ...until].includes(status);
    const sent = signal ? { signal } : {};
    for (;;) {
      const { latest } = await this.listEvents({ query: { limit: 1 }, ...sent }); // read first: nothing falls between
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
   * What happens in the account, or to one job, as soon as it is committed: after the event with the number `after`, or from
   * the first `next()` on. Goes on after a break without losing an event. Ends when `signal` aborts. Throws `cursor_expired`
   * where `after` is no place in the log any more, and what does not pass by itself, as when the key is revoked; without
   * `after` also `unreachable`, where the service cannot tell at the beginning how far its log has come.
   */
  events(options: EventOptions = {}): AsyncGenerator<AccountEvent> {
    const { client, send } = this;
    const list = (query: Parameters<Source['list']>[0]) =>
      this.listEvents({ query, ...(options.signal ? { signal: options.signal } : {}) });
    return follow({ client, send, list }, options);
  }

  /**
   * Uploads a file of this machine by its path, or a Blob: presign, PUT, complete. A PUT that breaks off or is refused by a
   * storage that is down is sent again as a whole, to a fresh address where the old one has expired.
   */
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
