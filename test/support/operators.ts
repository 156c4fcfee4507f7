import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Service } from './harness.ts';
import { mailedToken, type TestPerson } from './people.ts';

type Invited = { id: string; email: string; token: string };

/** An invitation and the token in its mail. */
export async function inviteOperator(service: Service, by: TestPerson, more: object = {}): Promise<Invited> {
  const body = { email: `${randomUUID()}@example.com`, role: 'maker', ...more };
  const answer = await service.call('POST', '/api/operator/v1/operator-invitations', { as: by.token, body });
  expect(answer.status).toBe(201);
  const { id, email } = answer.body.operator_invitation;
  return { id, email, token: mailedToken(service, email, 'You are invited to work') };
}
