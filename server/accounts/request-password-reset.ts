import { setTimeout as sleep } from 'node:timers/promises';
import type { requestPasswordReset as endpoint } from '../../contract/people.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { resetEmail } from './emails.ts';
import { makeMailToken, repeatUndo } from './mail-token.ts';
import type { Outbox } from './outbox.ts';
import { normalEmail } from './person.ts';

/** Every answer takes at least this long, in milliseconds: more than the row that is only written for a known address. */
const atLeast = 250;

type Parts = { db: Db; outbox: Outbox; publicUrl: string };

/** Says nothing about whether the address is known, neither by the answer nor by its time. */
export async function requestPasswordReset(
  parts: Parts,
  { body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  await Promise.all([sendToken(parts, normalEmail(body.email)), sleep(atLeast)]);
  return { status: 200, body: { done: true } };
}

async function sendToken({ db, outbox, publicUrl }: Parts, email: string): Promise<void> {
  const person = await db.selectFrom('auth.user').select('id').where('email', '=', email).executeTakeFirst();
  if (!person) return;
  const token = await makeMailToken(db, { purpose: 'reset_password', userId: person.id, email });
  outbox.sendAsked(resetEmail(publicUrl, email, token, await repeatUndo(db, person.id, email)));
}
