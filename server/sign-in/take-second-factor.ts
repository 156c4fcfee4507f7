import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../db/pool.ts';
import { byService } from '../http/cause.ts';
import { Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import { transact } from '../db/transact.ts';
import { queueMail } from '../mail/outbox.ts';
import { normalEmail } from './person.ts';
import { removeSecondFactor } from './second-factor.ts';

type Parts = { db: Db; log: FastifyBaseLogger };

/** For who lost phone and recovery codes; the studio must know that it is them. Their sessions end, and they are told by mail. */
export async function takeSecondFactor({ db, log }: Parts, address: string): Promise<void> {
  const email = normalEmail(address);
  const person = await transact(db, async (trx) => {
    const found = await trx
      .selectFrom('auth.user')
      .select('id')
      .where('email', '=', email)
      .where('second_factor', '=', true)
      .forUpdate()
      .executeTakeFirst();
    if (!found) return null;
    await removeSecondFactor(trx, found.id, byService());
    await trx.deleteFrom('auth.session').where('user_id', '=', found.id).execute();
    const data = { by: 'studio' as const };
    await queueMail(trx, { kind: 'second_factor_removed', userId: found.id, address: email, data });
    return found;
  });
  if (!person)
    throw new Refusal('not_found', {
      message: `Nobody with the address ${address} has a second factor.`,
      action: 'Check the address.',
    });
  log.info({ user: showId('user', person.id) }, 'a second factor was taken away from the terminal');
}
