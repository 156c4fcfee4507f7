import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '../../contract/openapi.ts';
import { addSecondFactor } from '../support/authenticator.ts';
import { pathFor, said, titled } from '../support/every-endpoint.ts';
import { createService, type Service } from '../support/harness.ts';
import { makeOperator, type TestPerson } from '../support/people.ts';

/** Every endpoint that an operator may use, where the installation requires a second factor of operators. */
const atTheDesk = titled(endpoints.filter(({ auth }) => auth === 'operator' || auth === 'desk'));

let service: Service;
let without: TestPerson;
let withFactor: string;
beforeAll(async () => {
  service = await createService({ OPERATOR_SECOND_FACTOR: 'required' });
  without = await makeOperator(service);
  withFactor = (await addSecondFactor(service, await makeOperator(service))).token;
});
afterAll(() => service.close());

test.each(atTheDesk)('403 second_factor_required without a second factor: %s', async (_, endpoint) => {
  for (const as of [without.token, without]) {
    const refused = await service.call(endpoint.method, pathFor(endpoint), { as });
    expect(said(refused)).toBe('403 second_factor_required');
    expect(refused.body.error.message).toContain('desk is open only');
  }
});

test.each(atTheDesk)('no 403 with a second factor: %s', async (_, endpoint) => {
  const { status } = await service.call(endpoint.method, pathFor(endpoint), { as: withFactor });
  expect(status).not.toBe(403);
});
