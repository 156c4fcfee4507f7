import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../contract/openapi.ts';
import { holdersOf, may, type OperatorRole, operatorRoles } from '../../contract/desk/operator-roles.ts';
import { addSecondFactor } from '../support/authenticator.ts';
import { pathFor, said, sendTo, titled } from '../support/every-endpoint.ts';
import { createService, type Service } from '../support/harness.ts';
import { makeOperator } from '../support/people.ts';
import { sweep } from '../support/sweep.ts';

/** Every endpoint that an operator may call, by an operator of each role. */
const atTheDesk = titled(endpoints.filter(({ right }) => right !== undefined));

let service: Service;
const tokens = {} as Record<OperatorRole, string>;
beforeAll(async () => {
  service = await createService({ OPERATOR_SECOND_FACTOR: 'required' });
  for (const role of operatorRoles)
    tokens[role] = (await addSecondFactor(service, await makeOperator(service, role))).token;
});
afterAll(() => service.close());

describe.each(operatorRoles)('%s', (role) => {
  sweep('each', atTheDesk, async (endpoint) => {
    const right = endpoint.right ?? 'work';
    const answer = await sendTo(service, endpoint, pathFor(endpoint), { as: tokens[role] });
    if (may(role, right)) return expect(answer.status).not.toBe(403);
    expect(said(answer)).toBe('403 role_required');
    expect(answer.body.error.message).toBe(`This needs ${holdersOf(right)} of the studio.`);
  });
});

test('the document says for each endpoint which roles may call it', async () => {
  const { body } = await service.call('GET', '/api/v1/openapi.json');
  for (const [, endpoint] of atTheDesk) {
    const operation = body.paths[endpoint.path][endpoint.method.toLowerCase()];
    expect(operation['x-operator-roles']).toEqual(operatorRoles.filter((role) => may(role, endpoint.right ?? 'work')));
  }
});
