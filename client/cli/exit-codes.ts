import { AtelierError } from '../error.ts';

export const exitCodes = {
  done: 0,
  notDone: 1,
  misused: 2,
  identity: 3,
  notFound: 4,
  state: 5,
  limit: 6,
  unreachable: 7,
} as const;

/** The command is wrong, or needs something that this machine lacks. */
export class UsageError extends Error {
  readonly action: string;
  constructor(message: string, action = 'See: atelier --help') {
    super(message);
    this.action = action;
  }
}

/** There is no key that may be sent. */
export class IdentityError extends UsageError {}

const limits = ['entitlement_required', 'quota_exceeded', 'concurrency_limit_exceeded', 'limit_reached', 'plan_already_active'];

export function exitCodeOf(error: unknown): number {
  if (error instanceof IdentityError) return exitCodes.identity;
  if (error instanceof UsageError) return exitCodes.misused;
  if (!(error instanceof AtelierError)) return exitCodes.notDone;
  if (error.code === 'unreachable' || error.status >= 500) return exitCodes.unreachable;
  if (error.status === 429 || limits.includes(error.code)) return exitCodes.limit;
  if (error.status === 401 || error.status === 403) return exitCodes.identity;
  if (error.status === 404) return exitCodes.notFound;
  if (error.status === 409 || error.status === 410) return exitCodes.state;
  // 400 with details is a usage error. Without details it is an approval in the wrong state.
  return error.status === 400 && error.details.length === 0 ? exitCodes.state : exitCodes.misused;
}
