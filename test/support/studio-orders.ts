import { expect } from 'vitest';
import type { Got, Service } from './harness.ts';
import { draft, post, type Studio } from './jobs.ts';
import type { TestPerson } from './people.ts';
import { accountPath } from './quota.ts';

/** The owner of the account lets the studio order for it, or ends that. */
export async function letStudioOrder(service: Service, { token }: TestPerson, allowed = true): Promise<void> {
  const body = { allowed };
  expect((await service.call('PUT', '/api/auth/account/studio-orders', { as: token, body })).status).toBe(200);
}

type Desk = Pick<Studio, 'service' | 'operator'>;
export const orderFor = ({ service, operator }: Desk, person: TestPerson, changes = {}, key?: string): Promise<Got> =>
  post(service, operator.token, `${accountPath(person)}/jobs`, { ...draft, ...changes }, key);
