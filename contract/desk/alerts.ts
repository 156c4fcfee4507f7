import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Closed, Id, RequestTime, Timestamp } from '../shapes.ts';

/** A job is due soon so many hours before its due date. */
export const dueSoonHours = 2;

const Alert = Closed(
  {
    kind: Type.Enum(
      [
        'handed_over',
        'revision_requested',
        'question_answered',
        'due_soon',
        'overdue',
        'parked',
        'lease_lost',
        'returned',
        'taken_over',
        'canceled',
        'rejected_by_colleague',
        'in_review',
      ],
      {
        $id: 'AlertKind',
        type: 'string',
        description: `\`due_soon\`: due within ${dueSoonHours} hours. More may come.`,
      },
    ),
    raised_at: Timestamp('When it happened. Kind, job and time identify an alert.'),
    job_id: Id('job'),
    customer_title: Type.String({ description: 'The title of the job.' }),
    account: Closed(
      { id: Id('acct'), name: Type.String({ description: 'The name of the account.' }) },
      { description: 'The account of the job.' },
    ),
  },
  { $id: 'Alert', description: 'What an operator should know about a job.' },
);

export const readAlerts = endpoint({
  operationId: 'readAlerts',
  method: 'GET',
  path: '/api/operator/v1/alerts',
  tag: 'Desk',
  summary: 'Read what happened to your jobs since a time',
  description:
    'About jobs that you hold or held, and about jobs of your families that no operator holds: these have no `due_soon` and `overdue`; leads and owners are notified of their number. What you did yourself is left out, and so is what no longer holds, such as a request for changes of a job that is delivered again. Without `raised_after` there are no alerts, only the time to begin with.',
  auth: 'operator',
  right: 'work',
  query: Closed({
    raised_after: Type.Optional(RequestTime('Lower bound, exclusive; a day ago at most.')),
  }),
  answers: {
    200: {
      description: 'The alerts.',
      schema: Closed({
        alerts: Type.Array(Alert, { maxItems: 50, description: 'The newest 50, newest first.' }),
        read_until: Timestamp(
          'Send it as `raised_after` with the next read. It is some seconds ago, for changes that were not stored yet: an alert may come twice.',
        ),
      }),
    },
  },
  errors: { 400: ['invalid_request'] },
});
