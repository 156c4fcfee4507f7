import { showId } from '../../server/lib/id.ts';
import { post, type Studio } from './jobs.ts';
import type { TestPerson } from './people.ts';
import type { Got, Service } from './harness.ts';

type Desk = Pick<Studio, 'service' | 'operator'>;

export const accountPath = ({ accountId }: TestPerson) => `/api/operator/v1/accounts/${showId('acct', accountId)}`;

export const deskAccount = async ({ service, operator }: Desk, person: TestPerson) =>
  (await service.call('GET', accountPath(person), { as: operator.token })).body.account;

/** The body of an adjustment of the newest plan of an account, or of the plan with this code. */
export async function adjustmentFor(desk: Desk, person: TestPerson, quantity: number, code?: string) {
  const { entitlements } = await deskAccount(desk, person);
  const plan = entitlements.find(({ plan_code }: { plan_code: string }) => code === undefined || plan_code === code);
  return { entitlement_id: plan.id, period_start: plan.period.start, quantity, reason: 'The second logo was late.' };
}

export const sendAdjustment = (
  { operator }: Desk,
  service: Service,
  person: TestPerson,
  body: object,
  idempotencyKey?: string,
): Promise<Got> => post(service, operator.token, `${accountPath(person)}/quota-adjustments`, body, idempotencyKey);

export const adjust = async (desk: Desk, person: TestPerson, quantity: number, code?: string): Promise<Got> =>
  sendAdjustment(desk, desk.service, person, await adjustmentFor(desk, person, quantity, code));
