import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import type { acceptOperatorInvitation as endpoint } from '../../../contract/desk/operator-invitations.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { transact, type Trx } from '../../db/pool.ts';
import type { Cause, Request } from '../../http/request.ts';
import { crossSite } from '../../http/csrf.ts';
import { badBody, Refusal } from '../../http/refusal.ts';
import { showId } from '../../lib/id.ts';
import { undoable } from '../../mail/mail-token.ts';
import { noOperatorInvitation, withToken } from '../../members/operator-invitation.ts';
import { rememberNetwork } from '../../sign-in/known-network.ts';
import { openSession, recordSignIn } from '../../sign-in/open-session.ts';
import { createPerson } from '../../sign-in/person.ts';
import type { SignInDependencies } from '../../sign-in/session.ts';
import { passwordFault } from '../../sign-in/weak-password.ts';
import { saveOperator } from './operator.ts';

type Dependencies = SignInDependencies & { log: FastifyBaseLogger };
type Accepting = Request<typeof endpoint>;

/**
 * A sign-in at this moment: a session may be left open, and a session from before must not become one of the
 * desk. The token alone is not enough, because mails are forwarded.
 */
export async function acceptOperatorInvitation(
  dependencies: Dependencies,
  request: Accepting,
): Promise<AnswerOf<typeof endpoint>> {
  const { db, log, publicUrl, signer } = dependencies;
  const refusal = crossSite(publicUrl, request.headers);
  if (refusal) throw refusal;
  const invitation = await withToken(db, request.body.token).executeTakeFirst();
  if (!invitation) throw noOperatorInvitation();
  const { email } = invitation;
  const person = await db.selectFrom('people').select('id').where('email', '=', email).executeTakeFirst();
  const { userId, answer } = person
    ? await acceptAsPerson(dependencies, request, email)
    : await signUpAndAccept(dependencies, request, email);
  await recordSignIn(dependencies, request.cause, userId, answer.body.token);
  await rememberNetwork(db, signer, email, request.ip);
  log.info({ operator: showId('user', userId) }, 'made an operator by invitation');
  return answer;
}

async function acceptAsPerson(dependencies: Dependencies, request: Accepting, email: string) {
  const { auth, db, rates } = dependencies;
  if (request.body.name !== undefined)
    throw badBody([{ location: '/name', message: 'is only for new people; this address has signed up' }]);
  await rates.spend('guess_password', { person: email });
  const session = await signIn(dependencies, request, email);
  const { userId, answer } = session;
  const token = auth.openToken(answer.body.token);
  try {
    await transact(db, async (trx) => {
      await accept(trx, request, userId);
      await trx.deleteFrom('sessions').where('user_id', '=', userId).where('token', '!=', token).execute();
    });
  } catch (error) {
    await db.deleteFrom('sessions').where('token', '=', token).execute();
    throw error;
  }
  return session;
}

/** Hashes before the transaction holds a connection. */
async function signUpAndAccept(dependencies: Dependencies, request: Accepting, email: string) {
  const { auth, db } = dependencies;
  const { password, name } = request.body;
  if (name === undefined)
    throw badBody([{ location: '/name', message: 'is needed: nobody has signed up with this address yet' }]);
  if (password.length < 10) throw badBody([{ location: '/password', message: 'needs at least 10 characters' }]);
  const fault = passwordFault('/password', password, { name, email });
  if (fault) throw badBody([fault]);
  const passwordHash = await auth.hashPassword(password);
  await transact(db, async (trx) => {
    const person = await createPerson(trx, { name, email, passwordHash });
    if (person === null) throw justTaken();
    const own = { ...request.cause, userId: person.id };
    await appendAudit(trx, own, { action: 'user.created', subject: showId('user', person.id), accountId: null });
    await accept(trx, request, person.id);
  });
  return signIn(dependencies, request, email);
}

function signIn(dependencies: Dependencies, request: Accepting, email: string) {
  const { password, code } = request.body;
  const { headers, ip, cause } = request;
  const body = { email, password, ...(code === undefined ? {} : { code }) };
  return openSession(dependencies, { body, headers, ip, cause });
}

/** Of two requests with one token, the second finds no invitation. */
async function accept(trx: Trx, { body, cause }: Accepting, userId: string): Promise<void> {
  const invitation = await withToken(trx, body.token).forUpdate('invitation').executeTakeFirst();
  if (!invitation) throw noOperatorInvitation();
  const { id, email, role, service_families, held_limit, inviter_id } = invitation;
  await trx.deleteFrom('operator_invitations').where('id', '=', id).execute();
  const own = { ...cause, userId };
  await verifyInvited(trx, own, email);
  await saveOperator(trx, { id: userId, role, service_families, held_limit });
  const details = { role, inviter_id: showId('user', inviter_id) };
  const subject = showId('user', userId);
  await appendAudit(trx, own, { action: 'operator.added', subject, accountId: null, details });
}

async function verifyInvited(trx: Trx, own: Cause & { userId: string }, email: string): Promise<void> {
  const { userId } = own;
  const person = await trx
    .selectFrom('people')
    .select(['email', 'email_verified', 'operator'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (person.email !== email) throw noOperatorInvitation();
  if (person.operator)
    throw new Refusal('invalid_request', {
      message: 'You are an operator of the studio already.',
      action: 'Sign in and open the desk.',
    });
  await refuseReplacedAddress(trx, userId, email);
  if (person.email_verified) return;
  await trx.updateTable('people').set({ email_verified: true }).where('id', '=', userId).execute();
  const subject = showId('user', userId);
  await appendAudit(trx, own, { action: 'user.email_verified', subject, accountId: null });
}

/** An undo would give the desk to the owner of the former address, who was not invited. */
async function refuseReplacedAddress(trx: Trx, userId: string, email: string): Promise<void> {
  const former = await trx
    .selectFrom('mail_tokens')
    .select('expires_at')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'undo_change')
    .where('email', '!=', email)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('expires_at', 'desc')
    .executeTakeFirst();
  if (former) throw undoable('Your', former.expires_at);
}

const justTaken = () =>
  new Refusal('invalid_request', {
    message: 'This address has just been taken.',
    action: 'Read the invitation again, and sign in with the password of the person who has the address.',
  });
