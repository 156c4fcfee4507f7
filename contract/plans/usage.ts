import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { KeyStatus } from '../developer/keys.ts';
import { QuotaAdjustment } from './quota-adjustment.ts';
import { Closed, Count, Id, Nullable, RequestTime, Timestamp } from '../shapes.ts';

const Quantity = Type.Integer({
  $id: 'UsageQuantity',
  description: 'Jobs, with adjustments by the studio. Negative only if a range gave more back than it charged.',
});

export const Usage = Closed(
  {
    period: Closed(
      { start: Timestamp('Start, inclusive.'), end: Timestamp('End, exclusive.') },
      { description: 'The current period.' },
    ),
    range: Nullable(
      Closed({
        start: Nullable(Timestamp('Lower bound, inclusive.'), 'Null if only the end was given.'),
        end: Nullable(Timestamp('Upper bound, exclusive.'), 'Null if only the start was given.'),
      }),
      'The requested range, to which the quantities belong; null for the current periods.',
    ),
    totals: Closed(
      {
        quantity: Quantity,
        quota: Count('Granted.'),
        remaining: Count('Never below zero.'),
        unit: Type.String({ description: 'What is counted, such as `job`.' }),
      },
      { description: 'Over all plans.' },
    ),
    summaries: Closed(
      {
        by_entitlement: Type.Array(
          Closed({
            key: Type.String({ description: 'Plan code.' }),
            quantity: Quantity,
            quota: Count('Granted.'),
            remaining: Count('Never below zero.'),
          }),
          { description: 'For each plan.' },
        ),
        by_service_family: Type.Array(Closed({ key: Type.String({ description: 'Family id.' }), quantity: Quantity }), {
          description: 'For each family.',
        }),
        by_api_key: Type.Array(
          Closed({
            api_key_id: Id('key'),
            name: Type.String({ description: 'Of the key. After a rotation two keys have the same name.' }),
            prefix: Type.String({ description: 'The non-secret part of the key, which no other key has.' }),
            status: KeyStatus,
            quantity: Quantity,
          }),
          { description: 'For each API key.' },
        ),
      },
      { description: 'The same, split.' },
    ),
    buckets: Type.Array(
      Closed({ start: Timestamp('Start of the UTC day.'), end: Timestamp('Its end.'), quantity: Quantity }),
      {
        description: 'One per day with usage.',
      },
    ),
    recent_events: Type.Array(
      Closed({
        id: Id('evt'),
        type: Type.Enum(['job.created', 'job.released'], {
          type: 'string',
          description: '`job.released` gives the unit of a rejected or canceled job back.',
        }),
        job_id: Id('job'),
        service_family: Type.String({ description: 'The family of the job.' }),
        plan_code: Type.String({ description: 'The plan that the job counts against.' }),
        api_key_id: Nullable(Id('key')),
        quantity: Type.Integer({ description: '1 for a creation, -1 for a reversal.' }),
        unit: Type.String({ description: 'What is counted, such as `job`.' }),
        created_at: Timestamp('When it was written.'),
      }),
      { description: 'The newest 20.' },
    ),
    quota_adjustments: Type.Array(QuotaAdjustment, {
      description:
        'Quota that the studio gave back or charged: the newest 20 of those that count here. They belong to no job and no family.',
    }),
  },
  { $id: 'Usage', description: 'Written only by the server, from the ledger.' },
);

export const readUsage = endpoint({
  operationId: 'readUsage',
  method: 'GET',
  path: '/api/v1/usage',
  tag: 'Account',
  summary: 'Read usage and what remains',
  tool: { name: 'get_usage', hint: 'read' },
  description:
    'Without a range: the current period of each active plan. With one, quantities are those of `[period_start, period_end)`; quota and remaining stay current.',
  auth: 'caller',
  query: Closed({
    period_start: Type.Optional(RequestTime('Lower bound, inclusive.')),
    period_end: Type.Optional(RequestTime('Upper bound, exclusive.')),
    job_id: Type.Optional(Id('job', 'Only the usage of this job.')),
  }),
  whileViewing: true,
  answers: { 200: { description: 'Usage.', schema: Closed({ usage: Usage }) } },
  listed: [401],
  errors: { 400: ['invalid_request'], 404: ['job_not_found'] },
});
