import type { IncomingHttpHeaders } from 'node:http';
import type { OperatorRole } from '../../contract/desk/operator-roles.ts';
import type { Auth, Body, Endpoint, Params, Query, Scope } from '../../contract/endpoint.ts';
import type { Actor } from '../../contract/moves.ts';
import type { AccessKind } from '../../contract/ordering/catalog.ts';
import type { Role } from '../../contract/plans/roles.ts';
import { newRequestId } from '../lib/id.ts';

/** What a verb answers, by the statuses of its contract endpoint. */
export type { AnswerOf } from '../../contract/endpoint.ts';

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

/** The credential of a request, not yet verified: a `Bearer` value or the session cookie. */
export type Credential = { bearer: string } | { cookie: string };

/** An account that an operator views as its owner. */
export type View = { accountId: string; accountName: string; suspendedSince: Date | null; until: Date };

/** A signed-in user. `account` is null for somebody who belongs to none. */
export type Person = {
  method: 'session';
  sessionId: string;
  userId: string;
  name: string;
  nameNeeded: boolean;
  email: string;
  emailVerified: boolean;
  /** Null for somebody who is no operator. */
  operatorRole: OperatorRole | null;
  secondFactor: boolean;
  accountId: string | null;
  accountName: string | null;
  suspendedSince: Date | null;
  role: Role | null;
  scopes: readonly Scope[];
  /** What they order waits until an owner or admin confirms it. */
  ordersWait: boolean;
  /** Only of operators. On routes of accounts the account and role above are then those of the view. */
  view: View | null;
  /** The credential came as a cookie, so cross-site requests must be refused. */
  byCookie: boolean;
};

export type SessionCaller = Person & { accountId: string; accountName: string; role: Role };

export type KeyCaller = {
  method: 'api_key';
  accountId: string;
  accountName: string;
  suspendedSince: Date | null;
  role: null;
  scopes: readonly Scope[];
  /** As for a person. Keys order by themselves; an app may do no more than its person. */
  ordersWait: boolean;
  keyId: string;
  prefix: string;
  /** Set for a connected app: its access token ends before its grant. `role`: of its person. */
  app: { name: string; until: Date; role: Role | null } | null;
};

/** Who is calling, for one account. Every query on account data needs a caller or its `accountId`. */
export type Caller = SessionCaller | KeyCaller;

/** Whether the caller is a reviewer, or the app of one. */
export const isReviewer = (caller: Caller | Person): boolean =>
  (caller.method === 'session' ? caller.role : caller.app?.role) === 'reviewer';

/** Whether an operator only looks at the account. */
export const isView = (caller: Caller): boolean => caller.method === 'session' && caller.view !== null;

/** The access a plan must include: `human` for sessions, `agent` for API keys; `both` covers either. */
export type CallerKind = Exclude<AccessKind, 'both'>;

export const kindOf = (caller: Caller): CallerKind => (caller.method === 'session' ? 'human' : 'agent');

export type Operator = Person & { operatorRole: OperatorRole };

/** An automated fulfiller. It acts for the studio and belongs to no account. */
export type WorkerCaller = {
  method: 'worker_key';
  accountId: null;
  suspendedSince: null;
  role: null;
  keyId: string;
  /** The only families whose jobs it may claim; null for all families. */
  serviceFamilies: string[] | null;
};

/** Somebody without an account, who has a link: to the deliveries of one job, or to finished work. */
export type Guest = {
  method: 'review_link';
  reviewLinkId: string;
  accountId: string;
  suspendedSince: Date | null;
  jobId: string;
  canComment: boolean;
  /** Completed jobs of which the guest sees the last delivery; null for the link of a review. */
  shownJobs: readonly string[] | null;
};

/** The caller sent the secret of a revoked or expired key. It grants nothing. */
export type EndedKey = {
  method: 'ended_key';
  kind: 'api_key' | 'worker_key' | 'app';
  because: 'revoked' | 'expired';
  at: Date | null;
};

/** To whom an Idempotency-Key belongs: an account, or a person, worker key or guest that acts for none. */
export type KeyOwner = { accountId: string } | { callerId: string };

/** Null for routes that anybody may call, which remember no keys. */
export function keyOwnerOf(auth: Auth, caller: CallerOf<Auth>): KeyOwner | null {
  if (caller === null || auth === 'visitor') return null;
  if (caller.method === 'review_link') return { callerId: caller.reviewLinkId };
  if (caller.method === 'worker_key') return { callerId: caller.keyId };
  if (caller.method === 'api_key') return { accountId: caller.accountId };
  const forAccount = auth === 'caller' || auth === 'manager';
  return forAccount && caller.accountId !== null ? { accountId: caller.accountId } : { callerId: caller.userId };
}

/** What a handler receives, by the auth level on its contract endpoint. */
export type CallerOf<A extends Auth> = {
  public: null;
  visitor: Person | null;
  person: Person;
  caller: Caller;
  manager: SessionCaller;
  operator: Operator;
  desk: Operator | WorkerCaller;
  guest: Guest;
}[A];

/** Who caused a change and by which request. The credential and address are only for the audit. */
export type Cause = {
  actor: Actor;
  requestId: string;
  userId: string | null;
  apiKeyId: string | null;
  workerKeyId: string | null;
  /** A keyed hash, so that addresses can be compared but not read. Computed when it is read. */
  readonly addressHash: string | null;
};

/** The cause of changes that the service makes on its own. */
export const byService = (requestId = newRequestId()): Cause => ({
  actor: 'service',
  requestId,
  userId: null,
  apiKeyId: null,
  workerKeyId: null,
  addressHash: null,
});
