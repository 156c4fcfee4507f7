import type { As, Got, Service } from './harness.ts';
import { post } from './jobs.ts';

const savedViews = '/api/operator/v1/saved-views';
const friday = { name: 'Friday list', shared: false, filter: { status: ['rejected'], sort: 'newest' } };

export const saveView = (service: Service, as: As, body: object = {}, key?: string): Promise<Got> =>
  post(service, as, savedViews, { ...friday, ...body }, key);

export const replaceView = (service: Service, as: As, id: string, body: object = {}): Promise<Got> =>
  service.call('PUT', `${savedViews}/${id}`, { as, body: { ...friday, ...body } });

export const deleteView = (service: Service, as: As, id: string): Promise<Got> =>
  service.call('DELETE', `${savedViews}/${id}`, { as });

export const viewsOf = async (service: Service, as: As): Promise<string[]> => {
  const { body } = await service.call('GET', `${savedViews}?limit=100`, { as });
  return body.saved_views.map(({ id }: { id: string }) => id);
};
