import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../db/pool.ts';
import { byService } from '../http/cause.ts';
import { Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import type { Mail } from '../lib/mail.ts';
import { secondFactorEmail } from './emails.ts';
import { normalEmail } from './person.ts';
import { removeSecondFactor } from './second-factor.ts';

type Parts = { db: Db; log: FastifyBaseLogger; mail: Mail; publicUrl: string };

/** For who lost phone and recovery codes; the studio must know that it is them. Their sessions end, and they are told by mail. */
export async function takeSecondFactor({ db, log, mail, publicUrl }: Parts, address: string): Promise<void> {
  const email = normalEmail(address);
  const person = await db.transaction().execute(async (trx) => {
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
    return found;
  });
  if (!person)
    throw new Refusal('not_found', {
      message: `Nobody with the address ${address} has a second factor.`,
      action: 'Check the address.',
    });
  log.info({ user: showId('user', person.id) }, 'a second factor was taken away from the terminal');
  await mail.send(secondFactorEmail(publicUrl, email, 'taken away'));
}
