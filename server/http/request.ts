import type { IncomingHttpHeaders } from 'node:http';
import type { Body, Endpoint, Params, Query } from '../../contract/endpoint.ts';
import type { Cause } from './cause.ts';
import type { CallerOf } from './caller.ts';

/** One request, read and checked: what a verb needs to know, with who is asking by the auth level of its contract endpoint. */
export type Request<E extends Endpoint> = {
  caller: CallerOf<E['auth']>;
  params: Params<E>;
  query: Query<E>;
  body: Body<E>;
  /** What is asked for, as `POST /api/v1/jobs/job_1/approve`: what an Idempotency-Key holds for. */
  route: string;
  headers: IncomingHttpHeaders;
  requestId: string;
  /** For the records of what it changes. */
  cause: Cause;
  /** The caller's address, for rates. */
  ip: string;
  /** Of an endpoint that may wait: nobody waits for the answer any more, or nobody may. */
  ended: AbortSignal;
  idempotencyKey: string | null;
};
