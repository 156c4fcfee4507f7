import { randomUUID } from 'node:crypto';
import { post } from './jobs.ts';
import type { As, Got, Service } from './harness.ts';

/** With a name of its own. */
export const saveTemplate = (service: Service, as: As, body: object = {}, key?: string): Promise<Got> =>
  post(service, as, '/api/v1/templates', { name: randomUUID(), service_family: 'design', ...body }, key);

export const putTemplate = (service: Service, as: As, id: string, body: object): Promise<Got> =>
  service.call('PUT', `/api/v1/templates/${id}`, { as, body: { service_family: 'design', ...body } });

export const listTemplates = (service: Service, as: As): Promise<Got> =>
  service.call('GET', '/api/v1/templates?limit=100', { as });
