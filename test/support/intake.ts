import { expect } from 'vitest';
import type { Family } from '../../server/catalog/catalog.ts';
import { readId } from '../../server/lib/id.ts';
import { post } from './jobs.ts';
import type { As, Got, Service } from './harness.ts';

const sessions = '/api/v1/intake/sessions';

export const tryOpen = (service: Service, as: As, body: object = { service_family: 'design' }): Promise<Got> =>
  post(service, as, sessions, body);

/** A new conversation. */
export async function openSession(service: Service, as: As, body?: object): Promise<Got['body']['intake_session']> {
  const answer = await tryOpen(service, as, body);
  expect(answer.status).toBe(201);
  return answer.body.intake_session;
}

export const say = (service: Service, as: As, id: string, content: string): Promise<Got> =>
  post(service, as, `${sessions}/${id}/messages`, { content });

/** Sets one field, as the form does. */
export const answer = (service: Service, as: As, id: string, body: object): Promise<Got> =>
  post(service, as, `${sessions}/${id}/answers`, body);

/** Changes the service, the files, the date or the words. */
export const change = (service: Service, as: As, id: string, body: object): Promise<Got> =>
  service.call('PATCH', `${sessions}/${id}`, { as, body });

export const readSession = (service: Service, as: As, id: string): Promise<Got> =>
  service.call('GET', `${sessions}/${id}`, { as });

export const confirm = (service: Service, as: As, id: string, body?: object, idempotencyKey?: string): Promise<Got> =>
  post(service, as, `${sessions}/${id}/confirm`, body, idempotencyKey);

export const close = (service: Service, as: As, id: string): Promise<Got> =>
  post(service, as, `${sessions}/${id}/close`);

/** Answers to all requirements of a family, from the examples of the catalog. */
export const allAnswers = (family: Family): string =>
  family.intake_requirements.map(({ label, example }) => `${label}: ${example}`).join('\n');

/** A conversation whose brief is ready. */
export async function readySession(service: Service, as: As): Promise<Got['body']['intake_session']> {
  const family = service.context.catalog.families.get('design')!;
  const session = await openSession(service, as, {
    service_family: 'design',
    service_type: 'logo',
    message: allAnswers(family),
  });
  expect(session.status).toBe('brief_ready');
  return session;
}

/** Makes the session expire. */
export const expire = ({ context: { db } }: Service, id: string) =>
  db
    .updateTable('intake_sessions')
    .where('id', '=', readId('ise', id) ?? '')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .execute();

export const unknownSession = 'ise_01jd3vsh8xe7rtx1zqbdnzc4v0';
