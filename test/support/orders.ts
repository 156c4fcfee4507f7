import { expect } from 'vitest';
import type { As, Service } from './harness.ts';
import { createJob } from './jobs.ts';
import { addMember, type TestPerson } from './people.ts';

/** A member whose orders wait for an owner or admin. */
export async function addMaker(service: Service, owner: TestPerson) {
  const maker = await addMember(service, owner, 'member');
  const { db } = service.context;
  await db.updateTable('members').set({ orders: 'confirmed' }).where('id', '=', maker.memberId).execute();
  return maker;
}

/** The id of an order in the refusal that tells its maker of it. */
export const orderIn = ({ body }: { body: { error: { details?: { url?: string }[] } } }): string =>
  /ord_\w+/.exec(body.error.details?.[0]?.url ?? '')?.[0] ?? '';

/** What somebody orders who may not create jobs. */
export async function newOrder(service: Service, maker: TestPerson, changes?: object, key?: string): Promise<string> {
  const refused = await createJob(service, maker.token, changes, key);
  expect([refused.status, refused.body.error?.code]).toEqual([403, 'confirmation_required']);
  return orderIn(refused);
}

export const readOrder = async (service: Service, as: As, id: string) =>
  (await service.call('GET', `/api/v1/orders/${id}`, { as })).body.order;

export const confirm = (service: Service, as: As, id: string, version = 1) =>
  service.call('POST', `/api/v1/orders/${id}/confirm`, { as, body: { version } });

export const decline = (service: Service, as: As, id: string, words = 'Not now.') =>
  service.call('POST', `/api/v1/orders/${id}/decline`, { as, body: { words } });
