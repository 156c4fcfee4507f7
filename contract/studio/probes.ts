import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Closed, Nullable } from '../shapes.ts';

const Dependency = (description: string) =>
  Closed(
    {
      status: Type.Enum(['ok', 'degraded'], { type: 'string', description: '`degraded`: it does not fully work.' }),
      message: Nullable(Type.String(), 'What does not work; null if everything does.'),
    },
    { description },
  );

const probe = { method: 'GET', tag: 'Running it', auth: 'public' } as const;

export const readHealth = endpoint({
  ...probe,
  operationId: 'readHealth',
  path: '/healthz',
  summary: 'Check whether the process is alive',
  description: 'Uses nothing else, so it answers while the database does not.',
  answers: {
    200: {
      description: 'Alive.',
      schema: Closed({
        status: Type.Literal('ok', { description: 'Always `ok`.' }),
        version: Type.String({ description: 'The version of this process.', examples: ['0.2.0'] }),
        schema: Type.String({
          description: 'The newest migration that it knows.',
          examples: ['0028_catalog_versions'],
        }),
      }),
    },
  },
  errors: {},
});

export const readReadiness = endpoint({
  ...probe,
  operationId: 'readReadiness',
  path: '/readyz',
  summary: 'Check whether requests should be sent here',
  description:
    'The database answered within the last three seconds, every migration is applied, no acknowledged write can be lost, tasks run, and the process is not draining.',
  query: Closed({
    verbose: Type.Optional(
      Type.Enum(['', 'true'], { type: 'string', description: 'Also answer the state of each dependency.' }),
    ),
  }),
  answers: {
    200: {
      description: 'Ready.',
      schema: Closed({
        status: Type.Literal('ready', { description: 'Always `ready`.' }),
        outbound: Type.Optional(Type.Literal('off', { description: 'A copy: nothing goes outside.' })),
        dependencies: Type.Optional(
          Closed(
            {
              database: Dependency('Postgres.'),
              standby: Type.Optional(Dependency('The synchronous standby.')),
              tasks: Dependency('Scheduled tasks.'),
              listener: Dependency('The notifications of new events.'),
              redis: Type.Optional(Dependency('Redis.')),
              storage: Dependency('The storage of files.'),
              sweeps: Type.Optional(Dependency('Its sweeps.')),
              mail: Type.Optional(Dependency('The mail server.')),
              payments: Type.Optional(Dependency('The payment provider.')),
              loops: Dependency('Its loops.'),
            },
            { description: 'With `verbose`. What is not used is left out.' },
          ),
        ),
        loops: Type.Optional(
          Type.Array(
            Closed({
              name: Type.String({ description: 'Of the loop.' }),
              seconds: Type.Number({ description: 'Since its last success.' }),
            }),
            { description: 'With `verbose`.' },
          ),
        ),
      }),
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
