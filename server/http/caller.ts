import type { AccessKind } from '../../contract/catalog.ts';
import type { Auth, Scope } from '../../contract/endpoint.ts';
import type { Role } from '../../contract/entitlements.ts';

/** The one credential of a request, not yet verified: what follows `Bearer`, or the value of the session's cookie. */
export type Credential = { bearer: string } | { cookie: string };

/** A signed-in user. The account is null for someone who belongs to none. */
export type Person = {
  method: 'session';
  sessionId: string;
  userId: string;
  name: string;
  nameNeeded: boolean;
  email: string;
  emailVerified: boolean;
  operator: boolean;
  secondFactor: boolean;
  accountId: string | null;
  accountName: string | null;
  role: Role | null;
  scopes: readonly Scope[];
  /** The credential came as a cookie, so cross-site requests must be ruled out. */
  byCookie: boolean;
};

export type SessionCaller = Person & { accountId: string; accountName: string; role: Role };

export type KeyCaller = {
  method: 'api_key';
  accountId: string;
  accountName: string;
  role: null;
  scopes: readonly Scope[];
  keyId: string;
  prefix: string;
};

/** Who is asking, for one account. A query on account data needs it, or its `accountId`. */
export type Caller = SessionCaller | KeyCaller;

/** What a plan must serve: sessions want `human`, API keys want `agent`; `both` serves either. */
export type CallerKind = Exclude<AccessKind, 'both'>;

export const kindOf = (caller: Caller): CallerKind => (caller.method === 'session' ? 'human' : 'agent');

export type Operator = Person & { operator: true };

/** An automated fulfiller. It acts for the studio and for no account. */
export type WorkerCaller = {
  method: 'worker_key';
  accountId: null;
  role: null;
  keyId: string;
  /** The only families whose jobs it may claim; null for all. */
  serviceFamilies: string[] | null;
};

/** A key that works no more, whose secret the caller sent. It opens nothing. */
export type EndedKey = {
  method: 'ended_key';
  kind: 'api_key' | 'worker_key';
  because: 'revoked' | 'expired';
  at: Date | null;
};

/** What a handler receives, by the auth level on its contract endpoint. */
export type CallerOf<A extends Auth> = {
  public: null;
  visitor: Person | null;
  person: Person;
  caller: Caller;
  manager: SessionCaller;
  operator: Operator;
  desk: Operator | WorkerCaller;
}[A];
