import { sql } from 'kysely';
import { appendAudit } from '../audit/append-audit.ts';
import type { Cause } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import type { Trx } from '../db/pool.ts';
import { badBody, Refusal } from '../http/refusal.ts';

export async function removeSecondFactor(trx: Trx, userId: string, cause: Cause): Promise<void> {
  await trx.deleteFrom('two_factors').where('user_id', '=', userId).execute();
  await trx.updateTable('people').set({ second_factor: false }).where('id', '=', userId).execute();
  const subject = showId('user', userId);
  await appendAudit(trx, cause, { action: 'user.second_factor_removed', subject, accountId: null });
}

export const noteConfirmation = (trx: Trx, userId: string) =>
  trx
    .updateTable('two_factors')
    .set({ confirmed_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .execute();

/** Forgives wrong codes that somebody with the old password entered. */
export const liftLock = (trx: Trx, userId: string) =>
  trx
    .updateTable('two_factors')
    .set({ failed_verification_count: 0, locked_until: null })
    .where('user_id', '=', userId)
    .execute();

export const alreadyOn = (): Refusal =>
  new Refusal('invalid_request', {
    message: 'Your second factor is already on.',
    action: 'Switch it off first with POST /api/auth/second-factor/end.',
  });

export const notStarted = (): Refusal =>
  badBody([
    {
      location: '/code',
      message: 'does not match a pending second factor; set one up first with POST /api/auth/second-factor/start',
    },
  ]);

/** The library accepts only sessions signed with the newest key; ours accept the older key as well. */
export const signInAgain = (): Refusal =>
  new Refusal('unauthenticated', {
    message: 'This session is too old to change the second factor.',
    action: 'Sign in again.',
  });
