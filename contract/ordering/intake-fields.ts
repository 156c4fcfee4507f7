import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { FileIds } from '../files/file.ts';
import { IntakeSession, mostWords, onSessions, sessionNotFound, sessionsPath } from './intake-session.ts';
import { changedFields, Title } from '../jobs/new-job.ts';
import { studioNames } from '../jobs/optional-fields.ts';
import { Closed, IdParams, Nullable } from '../shapes.ts';

export const answerIntake = endpoint({
  ...onSessions,
  operationId: 'answerIntake',
  method: 'POST',
  path: `${sessionsPath}/{id}/answers`,
  summary: 'Set one field of a brief',
  tool: {
    name: 'answer_brief',
    hint: 'write',
    id: 'session_id',
    title: 'Answer a requirement',
    description: 'Set one field of the brief: give exactly one of `answer`, `accept` and `open`.',
  },
  description:
    'With exactly one of `answer`, `accept` and `open`. No message is written. The last change of a field counts.',
  csrf: true,
  rate: 'change_draft',
  idempotent: 'by_nature',
  params: IdParams('ise'),
  body: Closed(
    {
      requirement: Type.String({ minLength: 1, maxLength: 200, description: 'A requirement of the service.' }),
      answer: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 5000,
          pattern: '\\S',
          description: 'The answer, at most 5,000 code points.',
        }),
      ),
      accept: Type.Optional(
        Type.Boolean({
          description: 'Whether the suggestion becomes the answer; false dismisses it, or takes an acceptance back.',
        }),
      ),
      open: Type.Optional(Type.Literal(true, { description: 'Leave it to the studio.' })),
    },
    { examples: [{ requirement: 'Target audience', accept: true }] },
  ),
  answers: { 200: { description: 'The changed session.', schema: Closed({ intake_session: IntakeSession }) } },
  errors: {
    ...sessionNotFound,
    409: ['intake_session_conflict'],
    422: ['invalid_request', 'unsafe_request'],
    429: ['rate_limit_exceeded'],
  },
});

export const updateIntake = endpoint({
  ...onSessions,
  operationId: 'updateIntake',
  method: 'PATCH',
  path: `${sessionsPath}/{id}`,
  summary: 'Change service, title, files, date, words or brand kit',
  description:
    'What the body leaves out stays. New words bring new suggestions. Answers that another service does not ask for move into the words. Send `version` so that you do not overwrite the words of somebody else.',
  csrf: true,
  rate: 'change_draft',
  idempotent: 'by_nature',
  params: IdParams('ise'),
  body: Closed(
    {
      service_family: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'A family id of the catalog.' }),
      ),
      service_type: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'An option id of that family.' }),
      ),
      customer_title: Type.Optional(Nullable(Title, 'Null removes it.')),
      ...changedFields(studioNames),
      file_ids: Type.Optional(FileIds),
      words: Type.Optional(
        Type.String({ maxLength: mostWords, description: 'All words of the customer, at most 20,000 code points.' }),
      ),
      brand_kit: Type.Optional(
        Type.Boolean({ description: 'False leaves the brand kit of the account out of the job.' }),
      ),
      version: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'The version you have read. If the draft has another one by now, nothing changes: 409.',
        }),
      ),
    },
    { examples: [{ wanted_by: '2999-01-15T12:00:00Z' }] },
  ),
  answers: { 200: { description: 'The changed session.', schema: Closed({ intake_session: IntakeSession }) } },
  errors: {
    ...sessionNotFound,
    409: ['intake_session_conflict'],
    422: ['invalid_request', 'unsupported_service', 'unsafe_request'],
    429: ['rate_limit_exceeded'],
  },
});
