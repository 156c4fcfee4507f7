import Type, { type Static } from 'typebox';
import { IntentBrief } from './brief.ts';
import { File, posterFields } from '../files/file.ts';
import { customerActions, jobStatuses } from '../moves.ts';
import { answeredFields } from './new-job.ts';
import { privateNames, studioNames } from './optional-fields.ts';
import { Closed, Count, Creator, Id, Nullable, Timestamp } from '../shapes.ts';

export const Status = Type.Enum([...jobStatuses], {
  $id: 'JobStatus',
  type: 'string',
  description: 'Customer-safe status. Polling stops at completed, rejected and canceled.',
});

export const JobLinks = Closed(
  {
    self: Type.String({ description: 'The job.' }),
    events: Type.String({ description: 'Its events.' }),
    approve: Type.String({ description: 'POST here to approve it.' }),
    cancel: Type.String({ description: 'POST here to cancel it.' }),
    revision: Type.String({ description: 'POST here to ask for a change.' }),
  },
  { $id: 'JobLinks', description: 'Relative paths of this job.' },
);

export const JobSummary = Closed(
  { id: Id('job'), status: Status, links: JobLinks },
  { $id: 'JobSummary', description: 'A job in short.' },
);

export const Source = Type.Enum(['api', 'dashboard', 'intake'], {
  type: 'string',
  description: 'How the job was created.',
});
export type Source = Static<typeof Source>;

const CustomerAction = Type.Enum([...customerActions], {
  $id: 'CustomerAction',
  type: 'string',
  description: 'What the customer can do with a job. More may come.',
});

/** Of an open question, in lists. */
export const questionExcerpt = 200;

const NextDate = Closed(
  {
    kind: Type.Enum(['first_delivery', 'round', 'review', 'question', 'wish', 'none'], {
      type: 'string',
      description:
        '`review`: it is approved automatically then. `question`: the clock stands still since then. `wish`: only the customer’s wish. `none`: no date is promised.',
    }),
    falls_at: Nullable(Timestamp('When; null where no date is promised.')),
    round: Count('The round of revision; 0 is the first delivery.'),
  },
  { $id: 'NextDate', description: 'The date that comes next for a job.' },
);
export type NextDate = Static<typeof NextDate>;

export const listedFields = {
  ...JobSummary.properties,
  service_family: Type.String({ description: 'The family id.' }),
  service_type: Type.String({ description: 'The option id.' }),
  customer_title: Type.String({ description: 'The title, at most 200 characters.' }),
  ...answeredFields(studioNames),
  source: Source,
  plan_code: Type.String({ description: 'The plan whose quota it used.' }),
  created_by: Creator,
  revisions: Closed(
    { used: Count('Requested rounds.'), included: Count('Rounds that the service option includes.') },
    { $id: 'RevisionCount', description: 'Rounds of revision.' },
  ),
  allowed_actions: Type.Array(CustomerAction, {
    description: 'The moves that the customer can make now.',
  }),
  reason: Nullable(
    Closed(
      {
        code: Type.String({ description: 'The kind of reason, such as `out_of_scope`.' }),
        message: Type.String({ description: 'What the studio wrote.' }),
      },
      { $id: 'RejectionReason', description: 'Why the studio rejected a job.' },
    ),
    'The reason of a rejection; otherwise null.',
  ),
  created_at: Timestamp('When the job was created.'),
  updated_at: Timestamp('When anything about it last changed.'),
  status_changed_at: Timestamp('When it reached this status.'),
  due_at: Nullable(Timestamp('When the next delivery is planned; null while the job waits for an answer.')),
  due_round: Count('The round of `due_at`; below `revisions.used` if that round has no date.'),
  waiting_on: Nullable(
    Type.Enum(['customer'], { type: 'string' }),
    '`customer` while a question of the studio is open; a message answers it.',
  ),
  waiting_since: Nullable(Timestamp('When the first open question was asked.')),
  remaining_seconds: Nullable(
    Type.Integer(),
    'The time left until `due_at`, below zero if the job was already late; null while it does not wait.',
  ),
  review_due_at: Nullable(Timestamp('When it is approved automatically; only while it is ready for review.')),
  next_date: Nullable(NextDate, 'Null once the job has ended.'),
  imported_at: Nullable(
    Timestamp('When the studio imported this past job. It used no plan, has no events and takes no messages.'),
    'Null for jobs that were ordered here.',
  ),
};

/** Only where a list is read with `include=work`. */
const work = {
  cover: Type.Optional(
    Nullable(
      Closed({
        file_id: Id('file'),
        file_name: Type.String({ description: 'As sent.' }),
        content_type: Type.String({ description: 'MIME type.' }),
        poster: posterFields.poster,
        poster_status: posterFields.poster_status,
      }),
      'The file to show the job by: of the newest delivery, else of the customer’s own. Null without one.',
    ),
  ),
  open_question: Type.Optional(
    Nullable(Type.String(), `The first ${questionExcerpt} characters of the oldest open question; null without one.`),
  ),
  changes: Type.Optional(
    Nullable(
      Closed({
        asked: Count('Comments that the last revision sent.'),
        done: Count('Those that the studio has marked as done.'),
      }),
      'What the newest delivery answers; null if no comment was sent before it, or it is not delivered yet.',
    ),
  ),
};
export const JobListItem = Closed(
  { ...listedFields, ...work },
  { $id: 'JobListItem', description: 'A job as lists have it.' },
);

const Delivery = Closed(
  {
    round: Type.Integer({ minimum: 0, description: 'The revision round; 0 is the first delivery.' }),
    message: Nullable(Type.String(), 'The message of the studio.'),
    file_ids: Type.Array(Id('file'), { description: 'Ids of the delivered files; see `files`.' }),
    released_at: Timestamp('When it reached the customer.'),
  },
  { $id: 'Delivery', description: 'A delivery of the studio.' },
);

const DueDateChange = Closed(
  {
    event_id: Id('evt', 'The event, which has the dates.'),
    reason: Type.String({ description: 'Why, in the words of the studio.' }),
    created_at: Timestamp('When it was moved.'),
  },
  { $id: 'DueDateChange', description: 'A due date that the studio moved.' },
);

export const jobFields = {
  ...listedFields,
  customer_instructions: Type.String({ description: 'What the customer asked for.' }),
  revision_requests: Type.Array(
    Closed({
      round: Type.Integer({ minimum: 1, description: 'The round, from 1.' }),
      customer_instructions: Type.String({ description: 'What to change; empty where only comments were sent.' }),
      created_at: Timestamp('When it was requested.'),
    }),
    { description: 'The revisions that the customer requested, first round first.' },
  ),
  deliveries: Type.Array(Delivery, { description: 'The deliveries of the studio, first round first.' }),
  due_date_changes: Type.Array(DueDateChange, { description: 'Oldest first.' }),
  intent_brief: Nullable(IntentBrief, 'The brief of the intake conversation, if there was one.'),
  files: Type.Array(File, { description: 'Attached and delivered files, newest first.' }),
};

export const Job = Closed(
  {
    ...jobFields,
    ...answeredFields(privateNames),
  },
  { $id: 'Job', description: 'A job of the account.' },
);

export const eventTypes = [
  'job.created',
  'job.accepted',
  'job.started',
  'job.submitted',
  'job.returned',
  'job.ready_for_customer_review',
  'job.revision_requested',
  'job.approved',
  'job.auto_approved',
  'job.completed',
  'job.canceled',
  'job.rejected',
  'job.requeued',
  'job.file_attached',
  'job.deliverable_added',
  'job.message_added',
  'job.question_asked',
  'job.question_answered',
  'job.due_date_changed',
  'job.updated',
  'order.confirmed',
] as const;
export type EventType = (typeof eventTypes)[number];
