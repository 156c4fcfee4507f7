import { sql } from 'kysely';
import type { AnswerOf, Body } from '../../../contract/endpoint.ts';
import type { inviteOperator as endpoint } from '../../../contract/desk/operator-invitations.ts';
import { defaultHeldLimit } from '../../../contract/desk/operators.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { type Catalog, refuseUnknownFamilies } from '../../catalog/catalog.ts';
import { withIdempotencyKey } from '../../db/idempotency.ts';
import type { Db, Trx } from '../../db/pool.ts';
import { badBody, Refusal } from '../../http/refusal.ts';
import type { Request } from '../../http/request.ts';
import { newId, showId } from '../../lib/id.ts';
import { queueMail } from '../../mail/outbox.ts';
import {
  endOperatorInvitations,
  operatorInvitations,
  showOperatorInvitation,
} from '../../members/operator-invitation.ts';
import { normalEmail } from '../../sign-in/person.ts';
import { refuseRemovedOperator } from './operator.ts';

/** A new invitation replaces the open one for the same address. */
export async function inviteOperator(
  { db, catalog }: { db: Db; catalog: Catalog },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  refuseUnknownFamilies(catalog, body.service_families ?? []);
  const email = normalEmail(body.email);
  return withIdempotencyKey(db, request, async (trx) => {
    // The caller is locked, so that an owner who is losing the role leaves no invitation behind, and
    // so that invitations made at the same time are counted.
    await refuseRemovedOperator(trx, caller, 'no key update');
    await lockAddress(trx, email);
    await refuseOperator(trx, email);
    await endOperatorInvitations(trx, { by: { email }, because: 'replaced' }, cause);
    await refuseBeyondLimit(trx, caller.userId);
    const id = await insertInvitation(trx, { ...body, email }, caller.userId);
    const subject = showId('oinv', id);
    await appendAudit(trx, cause, { action: 'operator.invited', subject, accountId: null, details: detailsOf(body) });
    await queueMail(trx, { kind: 'operator_invitation', address: email, data: { invitation_id: id } });
    const made = await operatorInvitations(trx).where('invitation.id', '=', id).executeTakeFirstOrThrow();
    return { status: 201, body: { operator_invitation: showOperatorInvitation(made) }, accountId: null };
  });
}

/** Two invitations of one address at the same time would both find nothing to replace. */
const lockAddress = (trx: Trx, email: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(current_schema() || ' operator_invitation ' || ${email}, 0))`.execute(
    trx,
  );

async function refuseOperator(trx: Trx, email: string): Promise<void> {
  const operator = await trx
    .selectFrom('people')
    .select('id')
    .where('email', '=', email)
    .where('operator', '=', true)
    .executeTakeFirst();
  if (operator) throw badBody([{ location: '/email', message: 'already belongs to an operator' }]);
}

/** Open invitations of an owner. */
const mostOpen = 50;

async function refuseBeyondLimit(trx: Trx, inviterId: string): Promise<void> {
  const open = await operatorInvitations(trx).where('invitation.inviter_id', '=', inviterId).execute();
  if (open.length < mostOpen) return;
  throw new Refusal('limit_reached', {
    message: `You have ${open.length} open invitations; you may have ${mostOpen}.`,
    action: 'Cancel one, or wait until one is accepted or ends; GET /api/operator/v1/operator-invitations lists them.',
  });
}

type NewInvitation = Body<typeof endpoint>;

async function insertInvitation(trx: Trx, body: NewInvitation, inviterId: string): Promise<string> {
  const { email, role, service_families = null, held_limit = defaultHeldLimit } = body;
  const id = newId();
  const expires_at = sql<Date>`now() + interval '48 hours'`;
  await trx
    .insertInto('operator_invitations')
    .values({ id, email, role, service_families, held_limit, inviter_id: inviterId, expires_at })
    .execute();
  return id;
}

const detailsOf = ({ role, service_families, held_limit = defaultHeldLimit }: NewInvitation) => ({
  role,
  service_families: service_families?.join(', ') ?? null,
  held_limit,
});
