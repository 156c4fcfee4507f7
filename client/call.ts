/** What one call may ask for beside its `path`, `query`, `body` and `headers`. A `signal` ends it. */
export type CallOptions = {
  /** Seconds until a request counts as lost. Default: that of the client. */
  timeoutSeconds?: number | undefined;
  /** How often it is sent again. Default: that of the client. */
  retries?: number | undefined;
  /** Sent as `Idempotency-Key`. Default: a new one, where the operation takes one. */
  idempotencyKey?: string | undefined;
};

/** A success with what came beside its body. */
export type WithResponse<T> = { data: T; status: number; headers: Headers; requestId: string | null };

/** The body of a success; `withResponse()` gives it with status, headers and request id. */
export type Answer<T> = Promise<T> & { withResponse(): Promise<WithResponse<T>> };

type Fields = { data: unknown; response?: Response };

export function answerOf(fields: Promise<Fields>): Answer<unknown> {
  const data = fields.then((answer) => answer.data);
  const withResponse = async () => {
    data.catch(() => {}); // the caller hears of a failure from this promise
    const { data: body, response } = await fields;
    const { status = 0, headers = new Headers() } = response ?? {};
    return { data: body, status, headers, requestId: headers.get('x-request-id') };
  };
  return Object.assign(data, { withResponse });
}
