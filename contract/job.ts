import Type, { type Static } from 'typebox';
import { File, FileIds } from './files.ts';
import { customerActions, jobStatuses } from './moves.ts';
import { Closed, Count, Creator, emojiOnly, emojiParts, hidden, Id, Nullable, Timestamp } from './shapes.ts';

export const Status = Type.Enum([...jobStatuses], {
  $id: 'JobStatus',
  type: 'string',
  description: 'Customer-safe status. Polling stops at completed, rejected and canceled.',
});

/** Requires a visible character, because lists and mails show the title. Counts the trimmed title. */
const visible = `(?:[^\\s${hidden}]|[${emojiParts}])`;
const printable = `(?:[^${hidden}]|[${emojiParts}])`;
export const Title = Type.String({
  $id: 'CustomerTitle',
  minLength: 1,
  maxLength: 1_000,
  pattern: `^${emojiOnly}\\s*${visible}(?:${printable}{0,198}${visible})?\\s*$`,
  description: '1 to 200 code points after trimming, without control characters and without invisible ones.',
  examples: ['Logo for a neighbourhood bakery'],
});
export const Instructions = Type.String({
  $id: 'CustomerInstructions',
  minLength: 1,
  maxLength: 20_000,
  pattern: '\\S',
  description: '1 to 20,000 code points. Answered intake requirements go here, as `label: answer`.',
  examples: ['Target audience: families within two miles.\nBrand name: Rise Bakery.'],
});

/** At most `max` visible characters, without spaces at the ends. */
const visibleText = (max: number) => `^${emojiOnly}${visible}(?:${printable}{0,${max - 2}}${visible})?$`;
export const Reference = Type.String({
  pattern: visibleText(100),
  description:
    '1 to 100 visible characters without spaces at the ends. Your own number for the job; the studio sees it.',
  examples: ['PO-2026-114'],
});
export const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: 20,
  propertyNames: {
    type: 'string',
    pattern: visibleText(40),
    description: '1 to 40 visible characters without spaces at the ends.',
  },
  additionalProperties: { type: 'string', maxLength: 500 },
  description: 'Your own data, which the studio never sees: 20 keys of 40 characters, texts of 500.',
  examples: [{ campaign: 'spring', customer: '4711' }],
});

export const StoredMetadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'The `metadata` that the job was created with.',
});

const draft = {
  service_family: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'A family id of the catalog.',
    examples: ['design'],
  }),
  service_type: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'An option id of that family.',
    examples: ['logo'],
  }),
  customer_title: Title,
  customer_instructions: Instructions,
};
export const NewJob = Closed(
  {
    ...draft,
    reference: Type.Optional(Reference),
    metadata: Type.Optional(Metadata),
    file_ids: Type.Optional(FileIds),
  },
  {
    $id: 'NewJob',
    description: 'A draft, with uploaded files of the account that no job has yet.',
  },
);
export type Draft = Omit<Static<typeof NewJob>, 'file_ids'>;

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

const listed = {
  ...JobSummary.properties,
  service_family: Type.String({ description: 'The family id.' }),
  service_type: Type.String({ description: 'The option id.' }),
  customer_title: Type.String({ description: 'The title, at most 200 characters.' }),
  reference: Nullable(Type.String(), 'The customer’s own number or name for the job.'),
  source: Source,
  plan_code: Type.String({ description: 'The plan whose quota it used.' }),
  created_by: Creator,
  revisions: Closed(
    { used: Count('Requested rounds.'), included: Count('Rounds that the service option includes.') },
    { $id: 'RevisionCount', description: 'Rounds of revision.' },
  ),
  allowed_actions: Type.Array(Type.Enum([...customerActions], { type: 'string' }), {
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
  due_at: Nullable(Timestamp('When the first delivery is planned.')),
  review_due_at: Nullable(Timestamp('When it is approved automatically; only while it is ready for review.')),
};
export const JobListItem = Closed(listed, { $id: 'JobListItem', description: 'A job as lists have it.' });

export const IntentBrief = Closed(
  {
    version: Type.Integer({ minimum: 1, description: 'Counts from 1 with each message since the first brief.' }),
    ...draft,
    answered_requirements: Type.Array(
      Closed({
        requirement: Type.String({ description: 'A requirement of the family.' }),
        answer: Type.String({ description: 'What the customer answered.' }),
      }),
      { description: 'Requirements that the conversation answered.' },
    ),
    quality_signals: Type.Array(Type.String(), { description: 'What the studio will check the work against.' }),
    file_ids: Type.Array(Id('file'), { description: 'Files of the account that the customer named.' }),
  },
  { $id: 'IntentBrief', description: 'What an intake conversation proposes as a job.' },
);
export type IntentBrief = Static<typeof IntentBrief>;

const Delivery = Closed(
  {
    round: Type.Integer({ minimum: 0, description: 'The revision round; 0 is the first delivery.' }),
    message: Nullable(Type.String(), 'The message of the studio.'),
    file_ids: Type.Array(Id('file'), { description: 'Ids of the delivered files; see `files`.' }),
    released_at: Timestamp('When it reached the customer.'),
  },
  { $id: 'Delivery', description: 'A delivery of the studio.' },
);

export const jobFields = {
  ...listed,
  customer_instructions: Type.String({ description: 'What the customer asked for.' }),
  revision_requests: Type.Array(
    Closed({
      round: Type.Integer({ minimum: 1, description: 'The round, from 1.' }),
      customer_instructions: Type.String({ description: 'What to change.' }),
      created_at: Timestamp('When it was requested.'),
    }),
    { description: 'The revisions that the customer requested, first round first.' },
  ),
  deliveries: Type.Array(Delivery, { description: 'The deliveries of the studio, first round first.' }),
  intent_brief: Nullable(IntentBrief, 'The brief of the intake conversation, if there was one.'),
  files: Type.Array(File, { description: 'Attached and delivered files, newest first.' }),
};

export const Job = Closed(
  {
    ...jobFields,
    metadata: StoredMetadata,
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
] as const;
export type EventType = (typeof eventTypes)[number];
