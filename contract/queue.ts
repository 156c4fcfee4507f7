import Type from 'typebox';
import { DeskJobListItem } from './desk-job.ts';
import { endpoint } from './endpoint.ts';
import { Status } from './job.ts';
import { Closed, Count, Id, NextCursor, Nullable, page, Timestamp } from './shapes.ts';

const Family = Type.String({ minLength: 1, maxLength: 100, description: 'A family id of the catalog.' });

export const listQueue = endpoint({
  operationId: 'listQueue',
  method: 'GET',
  path: '/api/operator/v1/jobs',
  tag: 'Desk',
  summary: 'List jobs of all accounts',
  auth: 'operator',
  query: Closed({
    status: Type.Optional(Type.Array(Status, { description: 'Repeat the parameter or separate with commas.' })),
    service_family: Type.Optional(Family),
    account_id: Type.Optional(Id('acct')),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Part of the title or of the account’s name, or a job id.',
      }),
    ),
    holder: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: '`me`, `none` for jobs that nobody holds, or the id of an operator or worker key.',
        examples: ['me'],
      }),
    ),
    parked: Type.Optional(Type.Boolean({ description: 'Only parked jobs, or only others.' })),
    overdue: Type.Optional(Type.Boolean({ description: 'Only overdue jobs, or only others.' })),
    sort: Type.Optional(
      Type.Enum(['oldest', 'newest', 'due'], {
        type: 'string',
        default: 'oldest',
        description: 'By creation, or by `due_at`, soonest first.',
      }),
    ),
    ...page,
  }),
  answers: {
    200: { description: 'One page.', schema: Closed({ jobs: Type.Array(DeskJobListItem), next_cursor: NextCursor }) },
  },
  errors: { 400: ['invalid_request'] },
});

export const QueueCounts = Closed(
  {
    to_do: Count('Queued and not parked, accepted, or running.'),
    free: Count('Those to do that nobody holds.'),
    mine: Count('Held by the caller.'),
    in_review: Count('Submitted, waiting for a pass.'),
    with_customer: Count('Waiting for the customer’s review.'),
    parked: Count('Queued, and offered to operators only.'),
    overdue: Count('Not delivered in time.'),
    next_due_at: Nullable(Timestamp('When the next first delivery is due.'), 'Null when none is.'),
  },
  { $id: 'QueueCounts', description: 'The number of jobs in each part of the queue.' },
);

export const countQueue = endpoint({
  operationId: 'countQueue',
  method: 'GET',
  path: '/api/operator/v1/jobs/counts',
  tag: 'Desk',
  summary: 'Count the jobs in each part of the queue',
  auth: 'operator',
  query: Closed({ service_family: Type.Optional(Family) }),
  answers: { 200: { description: 'The counts.', schema: Closed({ counts: QueueCounts }) } },
  errors: { 400: ['invalid_request'] },
});

export const QueueChange = Closed(
  {
    counts: QueueCounts,
    changed: Nullable(
      Type.Array(Id('job'), { maxItems: 500 }),
      'Jobs that were moved or taken since the last entry; null if there are too many.',
    ),
  },
  { $id: 'QueueChange', description: 'The counts of the queue, and the jobs to read again.' },
);

export const streamQueue = endpoint({
  operationId: 'streamQueue',
  method: 'GET',
  path: '/api/operator/v1/queue/stream',
  tag: 'Desk',
  summary: 'Follow the queue as server-sent events',
  description:
    'The first entry contains the counts; later ones follow changes, at most twice a second. Entries have no id and cannot be resumed, so read the queue again after reconnecting. A worker key that is limited to families gets only these. `bye` is the last entry of a stream that the service ends; connect again. The complete record is the audit log.',
  auth: 'desk',
  answers: { 200: { description: 'The stream, until either side ends it.', stream: QueueChange } },
  errors: {},
});
