import { createClient, createConfig } from './generated/client/index.ts';
import { idempotent } from './generated/idempotent.ts';
import { Operations } from './generated/sdk.gen.ts';
import { open, type Progress, put, typeOf } from './upload.ts';
import type { ErrorCode, ErrorResponse, File, JobListItem, ListJobsData, ReadJobResponse } from './generated/types.gen.ts';

export type * from './generated/types.gen.ts';

export type AtelierOptions = {
  /** Where the service is, such as `https://atelier.example.com`. */
  url: string;
  /** An API key or a session token. Left out: only public operations, or the cookie of a browser. */
  token?: string;
  /** How often a request is sent again after a rate limit, a 503 or a lost connection. Default 3. */
  retries?: number;
  fetch?: typeof fetch;
};

/** An answer that is not a success. Decide by `code`; show `message` and `action` to people; report `requestId`. */
export class AtelierError extends Error {
  readonly status: number;
  /** A code of the service, or `unreachable` when there was no answer of it. */
  readonly code: ErrorCode | 'unreachable';
  readonly action: string;
  readonly requestId: string | null;
  readonly details: { location: string; message: string }[];
  readonly retryAfterSeconds: number | null;

  constructor(status: number, error: Partial<ErrorResponse['error']>, cause?: unknown) {
    super(error.message ?? 'The service could not be reached.', { cause });
    this.name = 'AtelierError';
    this.status = status;
    this.code = error.code ?? 'unreachable';
    this.action = error.action ?? 'Check the address and the network, then try again.';
    this.requestId = error.request_id ?? null;
    this.details = error.details ?? [];
    this.retryAfterSeconds = error.retry_after_seconds ?? null;
  }
}

const wait = (seconds: number, signal?: AbortSignal | null) =>
  new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    // Taken away again: one signal may outlive many waits.
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });

const paths = idempotent.map((path) => new RegExp(`^POST ${path.replace(/\{\w+\}/g, '[^/]+')}$`));
const takesKey = (request: Request) => paths.some((path) => path.test(`${request.method} ${new URL(request.url).pathname}`));

/**
 * Sends a request, again when that is safe: always after a rate limit, which executes nothing; after a 503 or a lost
 * connection only what reads or carries an Idempotency-Key. Waits as long as `Retry-After` says, else 0.5, 1, 2 … seconds.
 */
function persistent(send: typeof fetch, retries: number): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    if (takesKey(request) && !request.headers.has('idempotency-key'))
      request.headers.set('idempotency-key', crypto.randomUUID());
    const repeatable = request.method === 'GET' || request.headers.has('idempotency-key');
    for (let tried = 0; ; tried++) {
      const answer = await send(request.clone()).catch((error: unknown) => {
        if (request.signal.aborted || !repeatable || tried >= retries) throw new AtelierError(0, {}, error);
        return null;
      });
      const again = answer === null || answer.status === 429 || (answer.status === 503 && repeatable);
      if (answer && (!again || tried >= retries)) return answer;
      const named = Number(answer?.headers.get('retry-after'));
      await wait(named > 0 ? named : 0.5 * 2 ** tried, request.signal);
    }
  };
}

export type UploadOptions = {
  purpose?: 'job_source' | 'job_reference';
  /** Default: the name of the file. */
  fileName?: string;
  /** Default: by the ending of the name. */
  contentType?: string;
  /** A job that has not ended; left out, name the file in `file_ids` when you create one. */
  jobId?: string;
  retentionDays?: number;
  progress?: Progress;
  signal?: AbortSignal;
};

const ended = ['completed', 'rejected', 'canceled'];

/** Every operation of the API by its operation id, with what a caller would otherwise write around it. */
export class Atelier extends Operations {
  private readonly retries: number;

  constructor({ url, token, retries = 3, fetch: send = fetch }: AtelierOptions) {
    const client = createClient(
      createConfig({
        baseUrl: url.replace(/\/$/, ''),
        throwOnError: true,
        responseStyle: 'data',
        fetch: persistent((...words) => send(...words), retries),
        ...(token ? { auth: token } : {}),
      }),
    );
    client.interceptors.error.use((error, response) => {
      if (error instanceof AtelierError) return error;
      return new AtelierError(response?.status ?? 0, (error as Partial<ErrorResponse>)?.error ?? {}, error);
    });
    super({ client });
    this.retries = retries;
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
   * Polls a job until it has ended, or until it is ready for your review: whichever of `until` it reaches first.
   * Stops with an error when `signal` aborts.
   */
  async waitForJob(
    id: string,
    options: { until?: string[]; everySeconds?: number; signal?: AbortSignal } = {},
  ): Promise<ReadJobResponse> {
    const { until = ['ready_for_customer_review'], everySeconds = 5, signal } = options;
    for (;;) {
      const read = await this.readJob({ path: { id }, ...(signal ? { signal } : {}) });
      if ([...ended, ...until].includes(read.job.status)) return read;
      await wait(everySeconds, signal);
    }
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
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    for (let tried = 0; ; tried++) {
      const { file: presigned, upload } = await this.presignUpload({ body, headers });
      const status = await put(upload, bytes, progress, signal).catch((error: unknown) => {
        if (signal?.aborted || tried >= this.retries) throw new AtelierError(0, {}, error);
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
