import { expect } from 'vitest';
import { showId } from '../../server/lib/id.ts';
import type { As, Got } from './harness.ts';
import type { Studio } from './jobs.ts';
import type { TestPerson } from './people.ts';

const pathOf = ({ accountId }: TestPerson) => `/api/operator/v1/accounts/${showId('acct', accountId)}/view`;

export const tryView = ({ service, ada }: Studio, as: As, person = ada): Promise<Got> =>
  service.call('POST', pathOf(person), { as });

/** Begins a view of Ada's account, or of another one. */
export async function view(studio: Studio, as: As = studio.operator.token, person = studio.ada) {
  const { status, body } = await tryView(studio, as, person);
  expect(status).toBe(200);
  return body.view;
}

export const endView = ({ service, ada, operator }: Studio, as: As = operator.token, person = ada): Promise<Got> =>
  service.call('DELETE', pathOf(person), { as });
