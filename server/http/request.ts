import type { IncomingHttpHeaders } from 'node:http';
import type { Body, Endpoint, Params, Query } from '../../contract/endpoint.ts';
import type { Cause } from './cause.ts';
import type { CallerOf, KeyOwner } from './caller.ts';

/** One checked request: what a verb needs, with the caller type of its contract endpoint. */
export type Request<E extends Endpoint> = {
  caller: CallerOf<E['auth']>;
  params: Params<E>;
  query: Query<E>;
  body: Body<E>;
  /** With its parameters, such as `POST /api/v1/jobs/job_1/approve`. An Idempotency-Key is per route. */
  route: string;
  headers: IncomingHttpHeaders;
  requestId: string;
  cause: Cause;
  ip: string;
  /** For endpoints that wait: aborted when the caller hangs up or loses access. */
  ended: AbortSignal;
  idempotencyKey: string | null;
  keyOwner: KeyOwner | null;
};
