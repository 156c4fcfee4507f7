import type { FastifyBaseLogger } from 'fastify';
import { type Db, transact } from '../db/pool.ts';
import { byService } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import { queueMail } from '../mail/outbox.ts';
import { normalEmail } from './person.ts';
import { removeSecondFactor } from './second-factor.ts';

type Dependencies = { db: Db; log: FastifyBaseLogger };

/** The studio must verify who asks. Ends their sessions and sends a mail. */
export async function takeSecondFactor({ db, log }: Dependencies, address: string): Promise<void> {
  const email = normalEmail(address);
  const person = await transact(db, async (trx) => {
    const owner = await trx
      .selectFrom('people')
      .select('id')
      .where('email', '=', email)
      .where('second_factor', '=', true)
      .forUpdate()
      .executeTakeFirst();
    if (!owner) return null;
    await removeSecondFactor(trx, owner.id, byService());
    await trx.deleteFrom('sessions').where('user_id', '=', owner.id).execute();
    const data = { by: 'studio' as const };
    await queueMail(trx, { kind: 'second_factor_removed', userId: owner.id, address: email, data });
    return owner;
  });
  if (!person)
    throw new Refusal('not_found', {
      message: `Nobody with the address ${address} has a second factor.`,
      action: 'Check the address.',
    });
  log.info({ user: showId('user', person.id) }, 'a second factor was removed from the terminal');
}
