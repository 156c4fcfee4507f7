import { afterAll, beforeAll, expect } from 'vitest';
import { endpoints } from '../../contract/openapi.ts';
import { addSecondFactor } from '../support/authenticator.ts';
import { pathFor, said, sendTo, titled } from '../support/every-endpoint.ts';
import { createService, type Service } from '../support/harness.ts';
import { makeOperator, type TestPerson } from '../support/people.ts';
import { sweep } from '../support/sweep.ts';

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

sweep('403 second_factor_required without a second factor', atTheDesk, async (endpoint) => {
  for (const as of [without.token, without]) {
    const refused = await sendTo(service, endpoint, pathFor(endpoint), { as });
    expect(said(refused)).toBe('403 second_factor_required');
    expect(refused.body.error.message).toContain('desk is open only');
  }
});

sweep('no 403 with a second factor', atTheDesk, async (endpoint) => {
  const { status } = await sendTo(service, endpoint, pathFor(endpoint), { as: withFactor });
  expect(status).not.toBe(403);
});
