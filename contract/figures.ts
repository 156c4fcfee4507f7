import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Closed, Count, Nullable, RequestTime, Timestamp } from './shapes.ts';

const measures = {
  created: Count('Jobs created.'),
  delivered: Count('Jobs whose first delivery reached the customer.'),
  on_time: Count('Of these, delivered by their due time.'),
  revised: Count('Rounds of changes that customers asked for.'),
  median_hours_to_delivery: Nullable(
    Type.Number({ minimum: 0, description: 'From creation to the first delivery, of those delivered.' }),
    'Null without a delivery.',
  ),
};

export const readFigures = endpoint({
  operationId: 'readFigures',
  method: 'GET',
  path: '/api/operator/v1/figures',
  tag: 'Desk',
  summary: 'Read what was created, delivered, on time and revised',
  description:
    'Per day in UTC and per service family; each thing counts on the day it happened. The last 30 days unless told otherwise.',
  auth: 'operator',
  query: Closed({
    period_start: Type.Optional(RequestTime('Lower bound, inclusive.')),
    period_end: Type.Optional(RequestTime('Upper bound, exclusive; at most 366 days later.')),
    service_family: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  }),
  answers: {
    200: {
      description: 'The figures.',
      schema: Closed({
        figures: Closed(
          {
            period: Closed({ start: Timestamp('Start, inclusive.'), end: Timestamp('End, exclusive.') }),
            total: Closed(measures),
            days: Type.Array(Closed({ day: Type.String({ examples: ['2026-11-20'] }), ...measures }), {
              description: 'Every day of the range, oldest first.',
            }),
            families: Type.Array(Closed({ service_family: Type.String(), ...measures }), {
              description: 'Families with anything to tell, by id.',
            }),
          },
          { $id: 'Figures' },
        ),
      }),
    },
  },
  errors: { 400: ['invalid_request'] },
});
