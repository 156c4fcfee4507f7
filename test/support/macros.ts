import { randomUUID } from 'node:crypto';
import type { As, Got, Service } from './harness.ts';
import { post } from './jobs.ts';

const macros = '/api/operator/v1/macros';

/** With a name of its own. */
export const createMacro = (service: Service, as: As, body: object = {}, key?: string): Promise<Got> =>
  post(service, as, macros, { name: randomUUID(), text: 'Hello {customer}.', ...body }, key);

export const replaceMacro = (service: Service, as: As, id: string, body: object = {}): Promise<Got> =>
  service.call('PUT', `${macros}/${id}`, { as, body: { name: randomUUID(), text: 'Hello.', ...body } });

export const deleteMacro = (service: Service, as: As, id: string): Promise<Got> =>
  service.call('DELETE', `${macros}/${id}`, { as });

export const listMacros = (service: Service, as: As): Promise<Got> =>
  service.call('GET', `${macros}?limit=100`, { as });
