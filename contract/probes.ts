import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Closed } from './shapes.ts';

const probe = { method: 'GET', tag: 'Running it', auth: 'public' } as const;

export const readHealth = endpoint({
  ...probe,
  operationId: 'readHealth',
  path: '/healthz',
  summary: 'Check whether the process is alive',
  description: 'Uses nothing else, so it answers while the database does not.',
  answers: {
    200: { description: 'Alive.', schema: Closed({ status: Type.Literal('ok', { description: 'Always `ok`.' }) }) },
  },
  errors: {},
});

export const readReadiness = endpoint({
  ...probe,
  operationId: 'readReadiness',
  path: '/readyz',
  summary: 'Check whether requests should be sent here',
  description:
    'The database answers, every migration is applied, no acknowledged write can be lost, and the process is not draining.',
  answers: {
    200: {
      description: 'Ready.',
      schema: Closed({ status: Type.Literal('ready', { description: 'Always `ready`.' }) }),
    },
  },
  errors: { 503: ['service_unavailable'] },
});

export const readMetrics = endpoint({
  ...probe,
  operationId: 'readMetrics',
  path: '/metrics',
  summary: 'Read the metrics of this process',
  description: 'Prometheus text format; routes are named by their pattern. Keep it behind your proxy.',
  answers: { 200: { description: 'Metrics.', text: true } },
  errors: {},
});
