import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Closed, Nullable, Timestamp } from '../shapes.ts';

const common = { tag: 'Desk', auth: 'operator', right: 'manage_studio' } as const;

const Finding = Closed({
  check: Type.String({ description: 'What was looked at.' }),
  status: Type.Enum(['ok', 'warn', 'fail'], {
    type: 'string',
    description: '`warn`: needs a look. `fail`: broken.',
  }),
  sentence: Type.String({ description: 'What was found.' }),
  action: Nullable(Type.String(), 'What to do about it; null for nothing.'),
});

const DeskHealth = Closed(
  {
    version: Type.String({ description: 'Of the process that answers.' }),
    node: Type.String({ description: 'Its Node.' }),
    postgres: Type.String({ description: 'The version of Postgres.' }),
    newest_migration: Type.String({ description: 'The newest one that is applied.' }),
    examined_at: Nullable(Timestamp('When the findings were made.'), 'Null for none.'),
    examining: Type.Boolean({ description: 'Whether one is under way.' }),
    findings: Type.Array(Finding, { description: 'What the last examination found, in the order of the doctor.' }),
    backups: Closed(
      {
        recorded_at: Nullable(Timestamp('When the last one was recorded.'), 'Null for none.'),
        verified_at: Nullable(Timestamp('When one was last restored on trial.'), 'Null for none.'),
      },
      { description: 'When backups were made.' },
    ),
  },
  { $id: 'DeskHealth', description: 'How the installation is.' },
);

export const readDeskHealth = endpoint({
  ...common,
  operationId: 'readDeskHealth',
  method: 'GET',
  path: '/api/operator/v1/health',
  summary: 'Read how the installation is',
  description: 'What the last examination of the service found. It examines itself every hour.',
  answers: { 200: { description: 'The installation.', schema: Closed({ health: DeskHealth }) } },
  errors: {},
});

export const createExamination = endpoint({
  ...common,
  operationId: 'createExamination',
  method: 'POST',
  path: '/api/operator/v1/examinations',
  summary: 'Have the service examine itself now',
  description: 'One that is under way is answered instead of a second.',
  csrf: true,
  idempotent: 422,
  location: '/api/operator/v1/health',
  answers: {
    201: {
      description: 'The examination is asked for.',
      schema: Closed({
        examination: Closed(
          { requested_at: Timestamp('When it was asked for.') },
          { description: 'The one that is under way.' },
        ),
      }),
    },
  },
  errors: { 422: ['invalid_request'] },
});

export const readSupportBundle = endpoint({
  ...common,
  operationId: 'readSupportBundle',
  method: 'GET',
  path: '/api/operator/v1/support-bundle',
  summary: 'Save what helps others to find a fault',
  description: 'Without secrets, addresses and texts of people. The audit log keeps who saved it.',
  answers: {
    200: {
      description: 'A JSON document.',
      schema: {},
    },
  },
  errors: {},
});
