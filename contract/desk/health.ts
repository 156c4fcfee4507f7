import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Closed, Nullable, Timestamp } from '../shapes.ts';

const common = { tag: 'Desk', auth: 'operator', right: 'manage_studio' } as const;

const Finding = Closed({
  check: Type.String({ description: 'What was looked at.', examples: ['disk'] }),
  status: Type.Enum(['ok', 'warn', 'fail'], {
    type: 'string',
    description: '`warn`: needs a look. `fail`: broken.',
  }),
  sentence: Type.String({ description: 'What was found.' }),
  action: Nullable(Type.String(), 'What to do about it; null for nothing.'),
});

const DeskHealth = Closed(
  {
    version: Type.String({ description: 'Of the process that answers.', examples: ['0.3.0'] }),
    node: Type.String({ description: 'Its Node.', examples: ['24.21.0'] }),
    postgres: Type.String({ description: 'The version of Postgres.', examples: ['18.4'] }),
    newest_migration: Type.String({ description: 'The newest one that is applied.', examples: ['0061_examinations'] }),
    examined_at: Nullable(Timestamp('When the findings were made.'), 'Null before the first examination.'),
    examining: Type.Boolean({ description: 'Whether another examination is under way.' }),
    findings: Type.Array(Finding, { description: 'In the order of `npm run admin -- doctor`.' }),
    backups: Closed(
      {
        recorded_at: Nullable(Timestamp('When the newest was recorded.'), 'Null for none.'),
        verified_at: Nullable(Timestamp('When the newest that was restored on trial was recorded.'), 'Null for none.'),
      },
      { description: 'Backups of the database and the files.' },
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
  description: 'What the service found when it last examined itself, which it does each hour.',
  answers: { 200: { description: 'The installation.', schema: Closed({ health: DeskHealth }) } },
  errors: {},
});

export const createExamination = endpoint({
  ...common,
  operationId: 'createExamination',
  method: 'POST',
  path: '/api/operator/v1/examinations',
  summary: 'Have the service examine itself now',
  description: 'It takes seconds. One that is under way is answered instead of a second.',
  csrf: true,
  idempotent: 422,
  location: '/api/operator/v1/health',
  answers: {
    201: {
      description: 'Asked for: read the installation until it is examined.',
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
  description:
    'Versions, names of settings, findings, estimated numbers of rows, tasks and metrics. It holds no secrets, no addresses and no texts of people. The audit log keeps who saved it.',
  answers: {
    200: {
      description: 'One JSON document, as an attachment. Its fields may change with each version.',
      schema: {},
      headers: { 'Content-Disposition': 'Names the file.' },
    },
  },
  errors: {},
});
