import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { FileIds } from './files.ts';
import { IntentBrief, JobSummary } from './job.ts';
import { Closed, Id, IdParams, NextAction, NextCursor, Nullable, page, Timestamp } from './shapes.ts';

/** Messages of both sides. */
export const mostMessages = 200;
export const mostOpenSessions = 20;

const Content = Type.String({
  minLength: 1,
  maxLength: 4000,
  pattern: '\\S',
  description: '1 to 4,000 code points. Never credentials. Name uploaded files by their id to attach them.',
  examples: ['A logo for Rise Bakery, aimed at families nearby.'],
});

const Answer = Closed({
  requirement: Type.String({ description: 'A requirement of the family.' }),
  answer: Type.String({ description: 'What the customer answered.' }),
});

export const IntakeMessage = Closed(
  {
    id: Id('msg'),
    role: Type.Enum(['customer', 'concierge'], { type: 'string', description: 'Who wrote it.' }),
    content: Type.String({ description: 'Plain text.' }),
    understood: Type.Array(Answer, {
      description:
        'In replies of the concierge: the answers it found in the previous message. Send `requirement: answer` to correct one. Empty in messages of the customer.',
    }),
    created_at: Timestamp('When it was sent.'),
  },
  { $id: 'IntakeMessage', description: 'A message of the conversation.' },
);

const SessionStatus = Type.Enum(['open', 'brief_ready', 'confirmed', 'closed', 'expired'], {
  type: 'string',
  description: '`brief_ready`: the brief can be confirmed; a further message revises it.',
});

const session = {
  id: Id('ise'),
  status: SessionStatus,
  service_family: Type.String({ description: 'The family that it is about.' }),
  service_type: Nullable(Type.String(), 'Null until the option is known.'),
  missing_intake_requirements: Type.Array(Type.String(), {
    description: 'Requirements without an answer, including those the customer left open.',
  }),
  suggested_replies: Type.Array(
    Closed({
      label: Type.String({ description: 'The label for a button.' }),
      message: Type.String({ description: 'The `content` to send for it.' }),
    }),
    { description: 'Messages that the concierge certainly understands now. Any other text works too.' },
  ),
  intent_brief: Nullable(IntentBrief, 'The proposed brief; null until there is one.'),
  job_id: Nullable(Id('job'), 'The job created by the confirmation.'),
  expires_at: Timestamp('Seven days after opening. An ended conversation stays readable.'),
  created_at: Timestamp('When it was opened.'),
};

export const IntakeSession = Closed(
  {
    ...session,
    messages: Type.Array(IntakeMessage, { maxItems: mostMessages, description: 'Oldest first.' }),
  },
  { $id: 'IntakeSession', description: 'A conversation with the concierge.' },
);

export const IntakeListItem = Closed(session, {
  $id: 'IntakeListItem',
  description: 'A conversation without its messages; read it to see them.',
});

const sessions = '/api/v1/intake/sessions';
const common = { tag: 'Intake', auth: 'caller' } as const;
const notFound = { 404: ['intake_session_not_found'] } as const;

export const openIntake = endpoint({
  ...common,
  operationId: 'openIntake',
  method: 'POST',
  path: sessions,
  summary: 'Open a conversation with the concierge',
  tool: { name: 'open_intake', hint: 'write' },
  description: `The concierge greets, or answers \`message\`. Needs no plan. An account can have ${mostOpenSessions} open conversations; confirm or close one to open another.`,
  csrf: true,
  rate: 'open_intake',
  idempotent: 422,
  body: Closed({
    service_family: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'A family id of the catalog.',
      examples: ['design'],
    }),
    service_type: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'An option id of that family.' }),
    ),
    message: Type.Optional(Content),
  }),
  location: '/api/v1/intake/sessions/{intake_session.id}',
  answers: { 201: { description: 'Opened.', schema: Closed({ intake_session: IntakeSession }) } },
  errors: {
    403: ['limit_reached'],
    422: ['invalid_request', 'unsupported_service', 'unsafe_request'],
    429: ['rate_limit_exceeded'],
  },
});

export const listIntake = endpoint({
  ...common,
  operationId: 'listIntake',
  method: 'GET',
  path: sessions,
  summary: 'List the conversations of the account',
  description: 'Newest first, without their messages.',
  query: Closed({
    status: Type.Optional(Type.Array(SessionStatus, { description: 'Repeat the parameter or separate with commas.' })),
    ...page,
  }),
  answers: {
    200: {
      description: 'One page.',
      schema: Closed({ intake_sessions: Type.Array(IntakeListItem), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const readIntake = endpoint({
  ...common,
  operationId: 'readIntake',
  method: 'GET',
  path: `${sessions}/{id}`,
  summary: 'Read a conversation with its brief',
  tool: { name: 'read_intake', hint: 'read', id: 'session_id' },
  params: IdParams('ise'),
  answers: { 200: { description: 'The conversation.', schema: Closed({ intake_session: IntakeSession }) } },
  errors: notFound,
});

export const addMessage = endpoint({
  ...common,
  operationId: 'addMessage',
  method: 'POST',
  path: `${sessions}/{id}/messages`,
  summary: 'Send a message to the concierge',
  tool: { name: 'send_intake_message', hint: 'write', id: 'session_id' },
  description: `Answers with its reply. Once a brief is ready, each message makes a new version of it. Needs no plan. At most ${mostMessages} messages in all.`,
  csrf: true,
  rate: 'add_message',
  idempotent: 400,
  params: IdParams('ise'),
  body: Closed({ content: Content }),
  location: '/api/v1/intake/sessions/{intake_session.id}',
  answers: {
    201: {
      description: 'The reply. A repeat has the same reply, and the conversation as it is now.',
      schema: Closed({ intake_session: IntakeSession, message: IntakeMessage }),
    },
  },
  errors: {
    ...notFound,
    409: ['intake_session_conflict'],
    422: ['invalid_request', 'unsafe_request'],
    429: ['rate_limit_exceeded'],
  },
});

export const closeIntake = endpoint({
  ...common,
  operationId: 'closeIntake',
  method: 'POST',
  path: `${sessions}/{id}/close`,
  summary: 'End a conversation without a job',
  description: 'Its messages stay readable. Idempotent.',
  csrf: true,
  idempotent: 'by_nature',
  params: IdParams('ise'),
  answers: { 200: { description: 'The closed conversation.', schema: Closed({ intake_session: IntakeSession }) } },
  errors: { ...notFound, 409: ['intake_session_conflict'], 422: ['invalid_request'] },
});

export const confirmBrief = endpoint({
  ...common,
  operationId: 'confirmBrief',
  method: 'POST',
  path: `${sessions}/{id}/confirm`,
  summary: 'Confirm the brief and create the job',
  tool: {
    name: 'confirm_brief',
    hint: 'write',
    repeat: 'by_state',
    id: 'session_id',
    title: 'Confirm a brief',
    description:
      'Confirm the brief and create the job. Plan, quota and concurrency are checked as by create_job; a refusal leaves the brief ready. Attaches the files of the brief, or those in `file_ids`.',
    fields: { brief_version: 'The version you have read; another one is refused.' },
  },
  description:
    'Plan, quota and concurrency are checked as by POST /api/v1/jobs; a refusal leaves the brief ready. The files of the brief go along, or those of `file_ids` where it is given.',
  csrf: true,
  idempotent: 400,
  params: IdParams('ise'),
  body: Closed(
    {
      brief_version: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'The version you have read; another one is a 409.',
        }),
      ),
      file_ids: Type.Optional(FileIds),
    },
    { examples: [{ brief_version: 2 }] },
  ),
  location: '/api/v1/jobs/{job.id}',
  answers: {
    201: {
      description: 'The job is created and queued.',
      schema: Closed({
        intake_session: IntakeSession,
        job: JobSummary,
        next_action: NextAction,
      }),
    },
  },
  errors: {
    403: ['entitlement_required', 'quota_exceeded', 'concurrency_limit_exceeded'],
    404: ['intake_session_not_found'],
    409: ['intake_session_conflict'],
    422: ['invalid_request', 'unsupported_service', 'unsafe_request'],
  },
});
