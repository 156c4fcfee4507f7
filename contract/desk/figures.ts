import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Closed, Count, Nullable, RequestTime, Timestamp } from '../shapes.ts';

/** The range of figures and reports. */
export const periodBounds = {
  period_start: Type.Optional(RequestTime('Lower bound, inclusive.')),
  period_end: Type.Optional(RequestTime('Upper bound, exclusive; at most 366 days later.')),
};

/** Of a delivery, in figures and reports alike. They count different ones, and say which. */
export const onTime = 'reached the customer by the due date as it stood then';

const measures = {
  created: Count('Jobs created.'),
  delivered: Count('Jobs whose first delivery reached the customer.'),
  on_time: Count(
    `Those first deliveries that ${onTime}. Reports count all deliveries with a due date, of jobs that ended.`,
  ),
  revised: Count('Revisions that customers requested.'),
  median_hours_to_delivery: Nullable(
    Type.Number({ minimum: 0, description: 'From creation to the first delivery, for delivered jobs.' }),
    'Null without a delivery.',
  ),
};

export const readFigures = endpoint({
  operationId: 'readFigures',
  method: 'GET',
  path: '/api/operator/v1/figures',
  tag: 'Desk',
  summary: 'Read jobs created, delivered, on time and revised',
  description: 'Per UTC day and service family; each event counts on its own day. Default: the last 30 days.',
  auth: 'operator',
  right: 'read_figures',
  query: Closed({
    ...periodBounds,
    service_family: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only jobs of this family.' }),
    ),
  }),
  answers: {
    200: {
      description: 'The figures.',
      schema: Closed({
        figures: Closed(
          {
            period: Closed(
              { start: Timestamp('Start, inclusive.'), end: Timestamp('End, exclusive.') },
              { description: 'What the figures are about.' },
            ),
            total: Closed(measures, { description: 'Over all days.' }),
            days: Type.Array(
              Closed({ day: Type.String({ description: 'The day in UTC.', examples: ['2026-11-20'] }), ...measures }),
              {
                description: 'Every day of the range, oldest first.',
              },
            ),
            families: Type.Array(
              Closed({ service_family: Type.String({ description: 'The family id.' }), ...measures }),
              {
                description: 'Families with any activity, by id.',
              },
            ),
          },
          { $id: 'Figures', description: 'What the studio got done.' },
        ),
      }),
    },
  },
  errors: { 400: ['invalid_request'] },
});
