import {
  actsForAccount,
  type Auth,
  type Endpoint,
  isOfAccount,
  needsOpenAccount,
  needsVerifiedEmail,
  scopeOf,
} from '../../contract/endpoint.ts';
import { holdersOf, may } from '../../contract/desk/operator-roles.ts';
import { manages } from '../../contract/plans/roles.ts';
import {
  type EndedKey,
  type Guest,
  isReviewer,
  type KeyCaller,
  type Person,
  type WorkerCaller,
} from '../http/request.ts';
import type { FastifyRequest } from 'fastify';
import { crossSite, csrfRefusal } from '../http/csrf.ts';
import { countedFor, type RateLimiter } from '../http/rate-limit.ts';
import type { Authorize } from '../http/handle.ts';
import type { RateName } from '../../contract/rates.ts';
import type { Signer } from '../lib/signer.ts';
import { authenticateGuest, type AuthenticateDependencies, createAuthenticate } from './authenticate.ts';
import { lacksScope, unauthenticated, endedKey } from './challenge.ts';
import { Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';

type Dependencies = AuthenticateDependencies & {
  config: { operatorSecondFactor: boolean };
  publicUrl: string;
  rates: RateLimiter<RateName>;
  signer: Signer;
};

type AuthorizedCaller = KeyCaller | WorkerCaller | Person;
type AnyCaller = AuthorizedCaller | EndedKey | null;

/** Milliseconds that refusing a credential takes at least. Longer than any look-up. */
const refusedAfter = 5;

/** Checks credential, scope or role, and CSRF before the body is read or any id is looked up. */
export function createAuthorize(context: Dependencies): Authorize {
  const authenticate = createAuthenticate(context);
  return async (endpoint, request) => {
    if (endpoint.auth === 'public') return null;
    if (endpoint.auth === 'visitor') return asVisitor(context, endpoint, await authenticate(request.raw), request);
    if (endpoint.auth === 'guest') return asGuest(context, endpoint, request);
    const { ip } = request; // the address is gone once the caller hangs up
    const span = startSpan();
    const caller = inView(context, endpoint, await authenticate(request.raw));
    if (!caller || caller.method === 'ended_key') {
      await span.over;
      await context.rates.spend('bad_credential', countedFor(null, ip));
      const { publicUrl } = context;
      throw caller
        ? endedKey(publicUrl, endpoint, caller)
        : unauthenticated(publicUrl, endpoint, request.headers.authorization);
    }
    span.cancel();
    const refusal =
      (caller.method === 'session' ? accountRefusal(endpoint, caller, request) : null) ??
      (caller.method === 'session' ? viewRefusal(endpoint, caller) : null) ??
      appRefusal(context.publicUrl, endpoint, caller) ??
      callerRefusal(caller, endpoint) ??
      (caller.method === 'session' ? sessionRefusal(context, endpoint, caller, request) : null);
    if (refusal) throw refusal;
    return caller;
  };
}

/**
 * Starts before the look-up, so the time of a refusal does not reveal which part of a credential is wrong.
 * `npm run bench:credentials` measures the difference.
 */
function startSpan() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, refusedAfter);
  return { over: promise, cancel: () => clearTimeout(timer) };
}

/** One refusal for every request without a token that works, whatever is wrong with it. */
async function asGuest({ db, rates }: Dependencies, endpoint: Endpoint, { raw, ip }: FastifyRequest): Promise<Guest> {
  const span = startSpan();
  const guest = await authenticateGuest(db, raw);
  if (!guest) {
    await span.over;
    await rates.spend('bad_credential', countedFor(null, ip));
    throw new Refusal('review_link_not_found');
  }
  span.cancel();
  if (isSuspendedFor(guest, endpoint)) throw new Refusal('account_suspended');
  return guest;
}

/** An ended session does not keep anybody from a public page. */
function asVisitor(context: Dependencies, endpoint: Endpoint, caller: AnyCaller, { headers }: FastifyRequest) {
  const person = caller?.method === 'session' ? caller : null;
  const foreign = () => (endpoint.method === 'GET' ? null : crossSite(context.publicUrl, headers));
  const refusal = person?.byCookie ? csrfRefusal(context, endpoint, person, headers) : foreign();
  if (refusal) throw refusal;
  return person;
}

/** Browser tabs share a session, so a request can name the account that it is meant for. */
function accountRefusal(endpoint: Endpoint, caller: Person, { headers }: FastifyRequest): Refusal | null {
  const meant = headers['x-service-account'];
  if (meant === undefined || !actsForAccount(endpoint)) return null;
  const own = [caller.accountId, isOfAccount(endpoint) ? null : (caller.view?.accountId ?? null)];
  return own.some((id) => id !== null && meant === showId('acct', id)) ? null : new Refusal('account_changed');
}

/** An app learns which scope to ask its person for, unless they cannot give it. */
function appRefusal(publicUrl: string, endpoint: Endpoint, caller: AuthorizedCaller): Refusal | null {
  if (endpoint.auth !== 'caller' || caller.method !== 'api_key' || caller.app === null || isReviewer(caller))
    return null;
  return caller.scopes.includes(scopeOf(endpoint)) ? null : lacksScope(publicUrl, endpoint, scopeOf(endpoint));
}

/** On routes of accounts, a session that views an account acts for it, as its owner. */
function inView({ config }: Dependencies, endpoint: Endpoint, caller: AnyCaller): AnyCaller {
  if (caller?.method !== 'session' || caller.view === null) return caller;
  const view = config.operatorSecondFactor && !caller.secondFactor ? null : caller.view;
  if (view === null || !isOfAccount(endpoint)) return { ...caller, view };
  const { accountId, accountName, suspendedSince } = view;
  return { ...caller, accountId, accountName, suspendedSince, role: 'owner', ordersWait: false };
}

function viewRefusal(endpoint: Endpoint, { view }: Person): Refusal | null {
  return view !== null && isOfAccount(endpoint) && !endpoint.whileViewing ? new Refusal('view_only') : null;
}

/** Checks scope and role. Without a verified address, or in a suspended account, little can be changed. */
export function callerRefusal(caller: AuthorizedCaller, endpoint: Endpoint): Refusal | null {
  if (endpoint.auth === 'public' || endpoint.auth === 'visitor' || endpoint.auth === 'guest') return null;
  const unproved = caller.method === 'session' && !caller.emailVerified && needsVerifiedEmail(endpoint);
  return (
    rules[endpoint.auth](caller, endpoint) ??
    (unproved ? new Refusal('email_unverified') : null) ??
    (isSuspendedFor(caller, endpoint) ? new Refusal('account_suspended') : null)
  );
}

const isSuspendedFor = ({ suspendedSince }: AuthorizedCaller | Guest, endpoint: Endpoint): boolean =>
  suspendedSince !== null && needsOpenAccount(endpoint);

function sessionRefusal(
  context: Dependencies,
  endpoint: Endpoint,
  caller: Person,
  { headers }: FastifyRequest,
): Refusal | null {
  const desk = endpoint.auth === 'operator' || endpoint.auth === 'desk';
  if (desk && context.config.operatorSecondFactor && !caller.secondFactor) return lacksSecondFactor();
  return csrfRefusal(context, endpoint, caller, headers);
}

const rules: Record<
  Exclude<Auth, 'public' | 'visitor' | 'guest'>,
  (caller: AuthorizedCaller, endpoint: Endpoint) => Refusal | null
> = {
  person: (caller) => (caller.method === 'session' ? null : takes('the session of a person')),
  caller: (caller, endpoint) => {
    if (caller.method === 'worker_key') return takes('an API key or a session; workers have the desk');
    if (isReviewer(caller) && !endpoint.reviewers) return needs('an owner, admin or member of the account');
    if (caller.method === 'session') return caller.accountId === null ? new Refusal('no_active_account') : null;
    const scope = scopeOf(endpoint);
    if (caller.scopes.includes(scope)) return null;
    return new Refusal('insufficient_scope', { message: `The API key does not have the scope ${scope}.` });
  },
  manager: (caller) => {
    if (caller.method !== 'session') return takes('the session of an owner or admin');
    if (caller.accountId === null) return new Refusal('no_active_account');
    return manages(caller.role) ? null : needs('an owner or admin of the account');
  },
  operator: (caller, endpoint) => {
    if (caller.method !== 'session') return takes('the session of an operator');
    return operatorRefusal(caller, endpoint);
  },
  desk: (caller, endpoint) => {
    if (caller.method === 'worker_key') return null;
    if (caller.method === 'api_key') return takes('a worker key or the session of an operator');
    return operatorRefusal(caller, endpoint);
  },
};

const operatorRefusal = ({ operatorRole }: Person, { right = 'work' }: Endpoint): Refusal | null =>
  operatorRole && may(operatorRole, right) ? null : needs(`${holdersOf(right)} of the studio`);

const lacksSecondFactor = () =>
  new Refusal('second_factor_required', {
    message: 'The desk is open only to operators who have a second factor.',
    action: 'Set one up with POST /api/auth/second-factor.',
  });

const needs = (role: string) => new Refusal('role_required', { message: `This needs ${role}.` });

const takes = (kind: string) => new Refusal('credential_not_accepted', { message: `This route needs ${kind}.` });
