import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { eventTypes, JobLinks, Status } from './job.ts';
import { optionalNames } from './optional-fields.ts';
import { Closed, Count, Creator, Id, Nullable, Timestamp } from '../shapes.ts';

/** A type keeps its shape. Readers ignore unknown types. */
export const accountEventTypes = [
  ...eventTypes,
  'entitlement.changed',
  'api_key.created',
  'api_key.revoked',
  'webhook_endpoint.disabled',
  'webhook_endpoint.test',
  'quota.adjusted',
  'file.uploaded',
  'account.suspended',
  'account.reopened',
  'feed.restarted',
  'order.declined',
] as const;
export type AccountEventType = (typeof accountEventTypes)[number];

/** What a reviewer and their apps are told: nothing about plans, usage, keys, webhooks or drafts. */
export const reviewerEventTypes: readonly AccountEventType[] = [
  ...eventTypes,
  'file.uploaded',
  'account.suspended',
  'account.reopened',
  'feed.restarted',
];

export const EventTypeName = Type.Enum([...accountEventTypes], {
  $id: 'EventType',
  type: 'string',
  description: 'What happened. More types may come.',
});

export const Seq = Type.Integer({
  minimum: 0,
  maximum: 999_999_999_999_999,
  description: 'Counts from 1 per account, in commit order, without gaps.',
  examples: [42],
});

const aboutJob = {
  id: Id('job'),
  seq: Type.Integer({ minimum: 1, description: 'Counts from 1 per job, without gaps.' }),
  status: Status,
  previous_status: Nullable(Status, 'Null for the first event of a job.'),
  reference: Nullable(Type.String(), 'The customer’s own number or name for the job, as it is now.'),
  links: JobLinks,
};
const EventJob = Closed(aboutJob, { $id: 'EventJob', description: 'The job at that time.' });
const event = {
  id: Id('evt', 'The same wherever the event is read: process each id once.'),
  seq: Seq,
  type: EventTypeName,
  created_at: Timestamp('When it happened.'),
  actor: Type.Enum(['customer', 'operator', 'worker', 'service'], {
    type: 'string',
    description: 'The kind of the one who did it.',
  }),
  created_by: Nullable(
    Creator,
    'Who of the account did it, with their name today; null for the studio and the service, and for what nobody signed in did. Of an order that the studio placed for the account, the operator.',
  ),
  request_id: Type.String({ description: 'The request that caused it.' }),
  message: Type.String({ description: 'For people.' }),
  job: Nullable(EventJob, 'The job at that time; null for events of the account.'),
  data: Closed(
    {
      file_id: Type.Optional(Id('file')),
      round: Type.Optional(Type.Integer({ minimum: 0, description: '0 is the first delivery.' })),
      reason_code: Type.Optional(Type.String({ description: 'Why the studio rejected the job.' })),
      unit_returned: Type.Optional(Type.Boolean({ description: 'Whether the unit is back in the quota.' })),
      plan_code: Type.Optional(Type.String({ description: 'The plan whose entitlement or quota changed.' })),
      api_key_id: Type.Optional(Id('key')),
      webhook_endpoint_id: Type.Optional(Id('hook')),
      quota_adjustment_id: Type.Optional(Id('adj')),
      quantity: Type.Optional(Type.Integer({ description: 'Jobs charged; below zero, jobs given back.' })),
      message_id: Type.Optional(Id('msg')),
      order_id: Type.Optional(Id('ord')),
      words: Type.Optional(
        Type.String({ description: 'Of `order.declined`: what the person who declined wrote to the maker.' }),
      ),
      waited_seconds: Type.Optional(Count('Seconds that the job waited for the answer.')),
      due_at: Type.Optional(Nullable(Timestamp('When the next delivery is planned from now on.'))),
      previous_due_at: Type.Optional(Nullable(Timestamp('The date before, where the studio moved it.'))),
      remaining_seconds: Type.Optional(Type.Integer({ description: 'The same for a clock that stands still.' })),
      previous_remaining_seconds: Type.Optional(Nullable(Type.Integer(), 'What was left before.')),
      changed: Type.Optional(
        Type.Array(Type.Enum([...optionalNames], { type: 'string' }), {
          description: 'Fields of the job that the customer changed: their names, never their values. More may come.',
        }),
      ),
    },
    { $id: 'EventData', description: 'Details of the event; never customer text but `words`.' },
  ),
};
export const AccountEvent = Closed(event, {
  $id: 'AccountEvent',
  description: 'An entry of the account’s log: enough to know whether to read more.',
});

export const JobEvent = Closed(
  {
    ...event,
    seq: {
      ...aboutJob.seq,
      description: 'The number in the job, as in `job.seq`; not that in the log of the account.',
    },
    type: Type.Enum([...eventTypes], {
      $id: 'JobEventType',
      type: 'string',
      description: 'What happened. More types may come.',
    }),
    job: EventJob,
  },
  {
    $id: 'JobEvent',
    description: 'An AccountEvent in the history of its job. Only `seq` differs: here it counts from 1 per job.',
  },
);

export const listEvents = endpoint({
  operationId: 'listEvents',
  method: 'GET',
  path: '/api/v1/events',
  tag: 'Events',
  summary: 'Read the log of the account from a cursor',
  tool: {
    name: 'wait_for_events',
    hint: 'read',
    title: 'Wait for events',
    description:
      'Events of the account in the order of `seq`, from the oldest on without `after`. With `wait` the answer comes as soon as there is an event past `after`, or after that many seconds without one. Send `next_after` as `after` the next time, or `latest` for new events only. To wait for one job send `job_id`, `types` and `wait`. Events are kept for at least 30 days.',
    fields: { types: 'Only these types.' },
    omits: ['request_id'],
  },
  description:
    'In the order of `seq`, starting with the oldest event if there is no `after`. Send `next_after` as `after` the next time. With `wait`, the answer comes as soon as there is a later event, or after that many seconds. To wait for one job, send `job_id`, `types` and `wait`; for new events only, send `latest` as `after`. Events are kept for at least 30 days, those of jobs as long as the job.',
  auth: 'caller',
  reviewers: true,
  rate: 'read_events',
  long: true,
  query: Closed({
    after: Type.Optional({ ...Seq, default: 0, description: 'Only events with a greater seq.' }),
    types: Type.Optional(
      Type.Array(EventTypeName, {
        minItems: 1,
        maxItems: 50,
        description: 'Only these types. Repeat the parameter or separate with commas.',
      }),
    ),
    job_id: Type.Optional(Id('job', 'Only events of this job.')),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'Page size.' })),
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 25,
        default: 0,
        description: 'Seconds to wait for an event if there is none.',
      }),
    ),
  }),
  answers: {
    200: {
      description: 'One page, empty if nothing has happened.',
      schema: Closed({
        events: Type.Array(AccountEvent),
        next_after: {
          ...Seq,
          description: 'Send it as `after` next. It is past the events that the filters left out.',
        },
        latest: {
          ...Seq,
          description: 'The seq of the newest event. If it is greater than `next_after`, there is more to read.',
        },
      }),
    },
  },
  errors: { 400: ['invalid_request'], 404: ['job_not_found'], 410: ['cursor_expired'] },
});

export const streamEvents = endpoint({
  operationId: 'streamEvents',
  method: 'GET',
  path: '/api/v1/events/stream',
  tag: 'Events',
  summary: 'Follow the log of the account as server-sent events',
  description:
    'Starts after `Last-Event-ID`, which browsers send automatically, or after `after`; without both, with new events. The first entry is `open` with `{ latest }`, followed by unnamed events, whose `id` is their `seq` and whose data is an AccountEvent. `resync` with `{ latest }` means that the cursor has expired or is ahead: list your jobs, then continue from `latest`, as the stream does. `comments` with `{ changes }` means that comments on a delivery have changed: list those that you show. `messages` with `{ changes }` means that a message was withdrawn: list the messages that you show. `bye` is the last entry of a stream that the service ends: after 30 to 60 minutes, when it restarts, and when your credential ends. Then connect again. A comment comes every 15 seconds. Each process allows 20 streams per account and 5 per API key.',
  auth: 'caller',
  reviewers: true,
  rate: 'open_stream',
  headers: { 'Last-Event-ID': { description: 'The `seq` of your last event.' } },
  query: Closed({ after: Type.Optional({ ...Seq, description: 'Only events with a greater seq.' }) }),
  answers: { 200: { description: 'The stream, until either side ends it.', stream: AccountEvent } },
  errors: { 400: ['invalid_request'] },
});
