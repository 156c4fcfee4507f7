import type { ErrorCode, ErrorResponse } from './generated/types.gen.ts';

/** Branch on `code`; show `message` and `action` to people; report `requestId`. */
export class AtelierError extends Error {
  readonly status: number;
  /** A code of the service, or `unreachable` without an answer. */
  readonly code: ErrorCode | 'unreachable';
  readonly action: string;
  readonly requestId: string | null;
  /** Refusals by the plan have the `url` of the plans page, and `resets_at` for a quota. */
  readonly details: { location: string; message: string; url?: string; resets_at?: string }[];
  readonly retryAfterSeconds: number | null;

  constructor(status: number, error: Partial<ErrorResponse['error']>, cause?: unknown) {
    super(error.message ?? 'The service could not be reached.', { cause });
    this.name = 'AtelierError';
    this.status = status;
    this.code = error.code ?? 'unreachable';
    this.action = error.action ?? 'Check the address and the network, then try again.';
    this.requestId = error.request_id ?? null;
    this.details = Array.isArray(error.details) ? error.details.filter((detail) => Object(detail) === detail) : [];
    this.retryAfterSeconds = error.retry_after_seconds ?? null;
  }
}

/**
 * Failures of `fetch` and of bodies. Reference, syntax and range errors are faults of the program and pass as
 * they are.
 */
export function throwUnreachable(error: unknown): never {
  const isFault = [ReferenceError, SyntaxError, RangeError].some((kind) => error instanceof kind);
  throw isFault || error instanceof AtelierError ? error : new AtelierError(0, {}, error);
}
