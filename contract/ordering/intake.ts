import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { FileIds } from '../files/file.ts';
import {
  IntakeListItem,
  IntakeMessage,
  IntakeSession,
  mostMessages,
  mostOpenSessions,
  onSessions,
  SessionStatus,
  sessionNotFound,
  sessionsPath,
} from './intake-session.ts';
import { JobSummary } from '../jobs/job.ts';
import { Closed, Id, IdParams, NextAction, NextCursor, page } from '../shapes.ts';

const Content = Type.String({
  minLength: 1,
  maxLength: 4000,
  pattern: '\\S',
  description: '1 to 4,000 code points. Never credentials. Name uploaded files by their id to attach them.',
  examples: ['A logo for Rise Bakery, aimed at families nearby.'],
});

export const openIntake = endpoint({
  ...onSessions,
  operationId: 'openIntake',
  method: 'POST',
  path: sessionsPath,
  summary: 'Open a conversation with the concierge',
  tool: {
    name: 'open_intake',
    hint: 'write',
    description: 'Open a conversation about a brief. The concierge greets, or answers `message`.',
  },
  description: `The concierge greets, or answers \`message\`. Needs no plan. An account can have ${mostOpenSessions} open conversations; confirm or close one to open another.`,
  csrf: true,
  rate: 'open_intake',
  idempotent: 422,
  body: Closed(
    {
      service_family: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'A family id of the catalog.' }),
      ),
      service_type: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'An option id of that family.' }),
      ),
      message: Type.Optional(Content),
      template_id: Type.Optional(Id('tpl', 'Start from this template, with nothing else in the body.')),
      job_id: Type.Optional(Id('job', 'Order this job again, with nothing else in the body.')),
    },
    { examples: [{ service_family: 'design' }] },
  ),
  location: '/api/v1/intake/sessions/{intake_session.id}',
  answers: { 201: { description: 'Opened.', schema: Closed({ intake_session: IntakeSession }) } },
  listed: [401],
  errors: {
    403: ['limit_reached'],
    404: ['template_not_found', 'job_not_found'],
    409: ['intake_session_conflict'],
    422: ['invalid_request', 'unsupported_service', 'unsafe_request'],
    429: ['rate_limit_exceeded'],
  },
});

export const listIntake = endpoint({
  ...onSessions,
  operationId: 'listIntake',
  method: 'GET',
  path: sessionsPath,
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
  ...onSessions,
  operationId: 'readIntake',
  method: 'GET',
  path: `${sessionsPath}/{id}`,
  summary: 'Read a conversation with its brief',
  tool: { name: 'read_intake', hint: 'read', id: 'session_id' },
  params: IdParams('ise'),
  answers: { 200: { description: 'The conversation.', schema: Closed({ intake_session: IntakeSession }) } },
  listed: [401],
  errors: sessionNotFound,
});

export const addMessage = endpoint({
  ...onSessions,
  operationId: 'addMessage',
  method: 'POST',
  path: `${sessionsPath}/{id}/messages`,
  summary: 'Send a message to the concierge',
  tool: {
    name: 'send_intake_message',
    hint: 'write',
    id: 'session_id',
    description: 'Send the concierge a message, and read its reply. It may make a new version of the brief.',
  },
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
    ...sessionNotFound,
    409: ['intake_session_conflict'],
    422: ['invalid_request', 'unsafe_request'],
    429: ['rate_limit_exceeded'],
  },
});

export const closeIntake = endpoint({
  ...onSessions,
  operationId: 'closeIntake',
  method: 'POST',
  path: `${sessionsPath}/{id}/close`,
  summary: 'End a conversation without a job',
  description: 'Its messages stay readable. Idempotent.',
  csrf: true,
  idempotent: 'by_nature',
  params: IdParams('ise'),
  answers: { 200: { description: 'The closed conversation.', schema: Closed({ intake_session: IntakeSession }) } },
  errors: { ...sessionNotFound, 409: ['intake_session_conflict'], 422: ['invalid_request'] },
});

export const confirmBrief = endpoint({
  ...onSessions,
  operationId: 'confirmBrief',
  method: 'POST',
  path: `${sessionsPath}/{id}/confirm`,
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
    403: [
      'entitlement_required',
      'quota_exceeded',
      'concurrency_limit_exceeded',
      'confirmation_required',
      'limit_reached',
    ],
    404: ['intake_session_not_found'],
    409: ['intake_session_conflict'],
    422: ['invalid_request', 'unsupported_service', 'unsafe_request'],
  },
});
