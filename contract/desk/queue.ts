import Type from 'typebox';
import { DeskJobListItem } from './job.ts';
import { endpoint } from '../endpoint.ts';
import { Status } from '../jobs/job.ts';
import { Closed, Count, Id, IdParams, NextCursor, Nullable, page, Timestamp } from '../shapes.ts';
import { standingFilter } from './standing.ts';

const Family = Type.String({ minLength: 1, maxLength: 100, description: 'A family id of the catalog.' });

const Day = (which: string) =>
  Type.Optional(
    Type.String({
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      description: `${which}, as a day in the time zone of the studio’s hours (UTC without hours).`,
      examples: ['2026-11-01'],
    }),
  );

/** Of the list and of its total. */
const jobFilters = {
  status: Type.Optional(Type.Array(Status, { description: 'Repeat the parameter or separate with commas.' })),
  service_family: Type.Optional(Family),
  account_id: Type.Optional(Id('acct')),
  holder: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        '`me`, `none` for jobs that nobody holds, `worker` for any worker, or the id of an operator or worker key.',
      examples: ['me'],
    }),
  ),
  parked: Type.Optional(Type.Boolean({ description: 'Only parked jobs, or only others.' })),
  overdue: Type.Optional(Type.Boolean({ description: 'Only overdue jobs, or only others.' })),
  waiting_on: Type.Optional(
    Type.Literal('customer', { description: 'Only jobs that wait for an answer of the customer.' }),
  ),
  standing: standingFilter,
  created_from: Day('Created on this day or later'),
  created_to: Day('Created on this day or earlier'),
  ended_from: Day('Completed, rejected or canceled on this day or later'),
  ended_to: Day('Completed, rejected or canceled on this day or earlier'),
};

/** Filter and order of the list of jobs: what a saved view keeps. */
export const queueView = {
  ...jobFilters,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Words in any order, of which the first ten count. Each begins a word of the title, brief, a message or note; or is part of the name of who ordered, or of the name, an address or the owner’s name of the account. Or all words of a file name; or a job id.',
    }),
  ),
  sort: Type.Optional(
    Type.Enum(['oldest', 'newest', 'due'], {
      type: 'string',
      default: 'oldest',
      description: 'By creation, or by `due_at`, soonest first.',
    }),
  ),
};

export const listQueue = endpoint({
  operationId: 'listQueue',
  method: 'GET',
  path: '/api/operator/v1/jobs',
  tag: 'Desk',
  summary: 'List jobs of all accounts',
  auth: 'operator',
  right: 'work',
  query: Closed({
    ...queueView,
    id: Type.Optional(
      Type.Array(Id('job'), { maxItems: 100, description: 'Only these jobs, where they match the other filters.' }),
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
    free: Count('Jobs to do that nobody holds, that wait for no answer and are not set aside.'),
    mine: Count('Held by the caller.'),
    in_review: Count('Submitted, waiting for a pass.'),
    with_customer: Count('Waiting for the customer’s review.'),
    waiting: Count('Waiting for an answer of the customer.'),
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
  right: 'work',
  query: Closed({ service_family: Type.Optional(Family) }),
  answers: { 200: { description: 'The counts.', schema: Closed({ counts: QueueCounts }) } },
  errors: { 400: ['invalid_request'] },
});

export const countListedJobs = endpoint({
  operationId: 'countListedJobs',
  method: 'GET',
  path: '/api/operator/v1/jobs/total',
  tag: 'Desk',
  summary: 'Count the jobs that a filter of the list matches',
  description: 'With the filters of the list, without words.',
  auth: 'operator',
  right: 'work',
  query: Closed(jobFilters),
  answers: { 200: { description: 'The number.', schema: Closed({ total: Count('Jobs that match.') }) } },
  errors: { 400: ['invalid_request'] },
});

/** How often a page says that a job is open, and how long it counts as open afterwards. */
export const viewingSeconds = { say: 30, last: 75 };

const Viewer = Closed(
  {
    job_id: Id('job'),
    operator_id: Id('user'),
    name: Type.String({ description: 'The name of the operator.' }),
  },
  { $id: 'Viewer', description: 'An operator who has a job open.' },
);

export const QueueChange = Closed(
  {
    counts: QueueCounts,
    viewing: Type.Array(Viewer, { description: 'All operators with an open job; empty for workers.' }),
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
    'The first entry contains the counts; later ones follow changes, at most twice a second. Entries have no id and cannot be resumed, so read the queue again after reconnecting. A worker key that is limited to families gets only these. `bye` is the last entry of a stream that the service ends; connect again.',
  auth: 'desk',
  right: 'work',
  answers: { 200: { description: 'The stream, until either side ends it.', stream: QueueChange } },
  errors: {},
});

export const viewJob = endpoint({
  operationId: 'viewJob',
  method: 'PUT',
  path: '/api/operator/v1/jobs/{id}/viewing',
  tag: 'Desk',
  summary: 'Say whether you have a job open',
  description: `Repeat it every ${viewingSeconds.say} seconds while the job is open. It counts for ${viewingSeconds.last} seconds. The stream of the queue tells other operators who views what. To open a job marks your notifications about it as seen, except those of new messages.`,
  auth: 'operator',
  right: 'work',
  csrf: true,
  params: IdParams('job'),
  body: Closed({
    viewing: Type.Boolean({ description: 'Whether the job is open now.', examples: [true] }),
  }),
  answers: {
    200: {
      description: 'Who has the job open.',
      schema: Closed({ viewing: Type.Array(Viewer, { description: 'The caller too, while the job is open.' }) }),
    },
  },
  errors: { 404: ['job_not_found'], 422: ['invalid_request'] },
});
