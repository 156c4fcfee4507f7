import { errors, type ErrorCode } from '../../contract/errors.ts';
import { docsOf, type ErrorBody } from '../../contract/shapes.ts';

/** `page`: a path of the dashboard, shown as an absolute `url`. */
export type Detail = { location: string; message: string; page?: string; resets_at?: string; maximum?: number };
type Options = {
  /** Only for codes with two statuses: `invalid_request` is 422 for bodies, otherwise 400. */
  status?: number;
  message?: string;
  action?: string;
  details?: Detail[];
  headers?: Record<string, string>;
  retryAfterSeconds?: number;
  upload?: ErrorBody['error']['upload'];
};

/** A refusal with an error code. Rules return it, verbs throw it, `server.ts` renders it. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly action: string;
  readonly details: Detail[] | undefined;
  readonly headers: Record<string, string>;
  readonly #upload: Options['upload'];
  readonly #retry: { retry_after_seconds: number; retry_at: string } | undefined;

  constructor(code: ErrorCode, options: Options = {}) {
    super(options.message ?? errors[code].message);
    this.code = code;
    this.status = options.status ?? errors[code].status;
    this.action = options.action ?? errors[code].action;
    this.details = options.details;
    this.headers = options.headers ?? {};
    this.#upload = options.upload;
    if (options.retryAfterSeconds !== undefined) {
      const wait = options.retryAfterSeconds;
      this.headers = { ...this.headers, 'retry-after': String(wait) };
      this.#retry = { retry_after_seconds: wait, retry_at: new Date(Date.now() + wait * 1000).toISOString() };
    }
  }

  body(requestId: string, publicUrl: string): ErrorBody {
    const { code, message, action, details } = this;
    return {
      error: {
        code,
        message,
        action,
        request_id: requestId,
        docs: docsOf(code, publicUrl),
        ...(details?.length
          ? { details: details.map(({ page, ...rest }) => ({ ...rest, ...(page ? { url: publicUrl + page } : {}) })) }
          : {}),
        ...(this.#upload ? { upload: this.#upload } : {}),
        ...this.#retry,
      },
    };
  }
}

/** A name as a part of a JSON Pointer. */
export const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** An unusable query, path or header: always 400. */
export const badRequest = (location: string, message: string): Refusal =>
  new Refusal('invalid_request', { status: 400, message: `${location}: ${message}`, details: [{ location, message }] });

/** An unusable body. `status` is 400 only on routes that list 400 and not 422. */
export const badBody = (details: Detail[], status: 400 | 422 = 422): Refusal => {
  const first = details[0];
  const message = first ? `${first.location || 'body'}: ${first.message}` : errors.invalid_request.message;
  return new Refusal('invalid_request', { status, message, details });
};
