import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { FileIds } from './files.ts';
import { IntentBrief, JobSummary } from './job.ts';
import { Closed, Id, IdParams, Nullable, Timestamp } from './shapes.ts';

/** Messages of one conversation, both sides together. */
export const mostMessages = 200;
/** Conversations of one account that are neither confirmed nor expired. */
export const mostOpenSessions = 20;

const Content = Type.String({
  minLength: 1,
  maxLength: 4000,
  pattern: '\\S',
  description: '1 to 4,000 code points. Never credentials. Name uploaded files by their id to send them along.',
  examples: ['A logo for Rise Bakery, aimed at families nearby.'],
});

export const IntakeMessage = Closed(
  {
    id: Id('msg'),
    role: Type.Enum(['customer', 'concierge'], { type: 'string' }),
    content: Type.String({ description: 'Plain text.' }),
    created_at: Timestamp('When it was said.'),
  },
  { $id: 'IntakeMessage' },
);

export const IntakeSession = Closed(
  {
    id: Id('ise'),
    status: Type.Enum(['open', 'brief_ready', 'confirmed', 'expired'], {
      type: 'string',
      description: '`brief_ready`: the brief can be confirmed; a further message revises it.',
    }),
    service_family: Type.String(),
    service_type: Nullable(Type.String(), 'Null until the customer said which option it is.'),
    missing_intake_requirements: Type.Array(Type.String(), {
      description: 'What is not answered yet, or was left open by the customer.',
    }),
    messages: Type.Array(IntakeMessage, { maxItems: mostMessages, description: 'The first one first.' }),
    intent_brief: Nullable(IntentBrief, 'What the concierge proposes; null until it does.'),
    job_id: Nullable(Id('job'), 'The job that confirming created.'),
    expires_at: Timestamp('Seven days after it was opened. A confirmed conversation stays readable.'),
    created_at: Timestamp('When it was opened.'),
  },
  { $id: 'IntakeSession', description: 'A conversation with the concierge.' },
);

const sessions = '/api/v1/intake/sessions';
const line = { tag: 'Intake', auth: 'caller' } as const;
const notFound = { 404: ['intake_session_not_found'] } as const;

export const openIntake = endpoint({
  ...line,
  operationId: 'openIntake',
  method: 'POST',
  path: sessions,
  summary: 'Open a conversation with the concierge',
  description: `The concierge greets, or answers \`message\`. Needs no plan. An account may have ${mostOpenSessions} open conversations; the next one is a 409 until one is confirmed or expires.`,
  csrf: true,
  rate: 'open_intake',
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
  answers: { 201: { description: 'Opened.', schema: Closed({ session: IntakeSession }) } },
  errors: {
    409: ['intake_session_conflict'],
    422: ['invalid_request', 'unsupported_service', 'unsafe_request'],
    429: ['rate_limit_exceeded'],
  },
});

export const readIntake = endpoint({
  ...line,
  operationId: 'readIntake',
  method: 'GET',
  path: `${sessions}/{id}`,
  summary: 'Read a conversation with its brief',
  params: IdParams('ise'),
  answers: { 200: { description: 'The conversation.', schema: Closed({ session: IntakeSession }) } },
  errors: notFound,
});

export const addMessage = endpoint({
  ...line,
  operationId: 'addMessage',
  method: 'POST',
  path: `${sessions}/{id}/messages`,
  summary: 'Say something to the concierge',
  description: `The answer is its reply. Once a brief is ready each message makes a new version of it. Needs no plan. At most ${mostMessages} messages in all.`,
  csrf: true,
  rate: 'add_message',
  params: IdParams('ise'),
  body: Closed({ content: Content }),
  answers: {
    201: { description: 'The reply.', schema: Closed({ session: IntakeSession, message: IntakeMessage }) },
  },
  errors: {
    ...notFound,
    409: ['intake_session_conflict'],
    422: ['invalid_request', 'unsafe_request'],
    429: ['rate_limit_exceeded'],
  },
});

export const confirmBrief = endpoint({
  ...line,
  operationId: 'confirmBrief',
  method: 'POST',
  path: `${sessions}/{id}/confirm`,
  summary: 'Confirm the brief and create the job',
  description:
    'Plan, quota and concurrency are judged as by POST /api/v1/jobs; a refusal leaves the brief ready. The files of the brief go along, or those of `file_ids` where it is given. A replay of the Idempotency-Key answers 201 with `Idempotent-Replayed: true`.',
  csrf: true,
  idempotent: 400,
  params: IdParams('ise'),
  body: Closed(
    {
      brief_version: Type.Optional(
        Type.Integer({ minimum: 1, description: 'The version you have read; another one is a 409.' }),
      ),
      file_ids: Type.Optional(FileIds),
    },
    { examples: [{ brief_version: 2 }] },
  ),
  answers: {
    201: {
      description: 'The job is created and queued.',
      schema: Closed({
        session: IntakeSession,
        job: JobSummary,
        next_action: Type.String({ description: 'Guidance: what to do next.' }),
      }),
      headers: { 'Idempotent-Replayed': '`true` on a replay.' },
    },
  },
  errors: {
    403: ['entitlement_required', 'quota_exceeded', 'concurrency_limit_exceeded'],
    404: ['intake_session_not_found', 'file_not_found'],
    409: ['intake_session_conflict'],
    422: ['invalid_request', 'unsupported_service', 'unsafe_request', 'idempotency_key_conflict'],
  },
});
