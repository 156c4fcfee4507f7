import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { onTime, periodBounds } from './figures.ts';
import { Closed, Count, NextCursor, Nullable, page, Timestamp } from '../shapes.ts';

/** What the rows of a report are about. */
const dimensions = ['option', 'customer', 'operator', 'worker'] as const;

const Seconds = (description: string) =>
  Nullable(Type.Integer({ minimum: 0 }), `${description} Null if none was delivered.`);

const measures = {
  jobs: Count('Jobs that ended.'),
  completed: Count('Those that were approved, by the customer or automatically.'),
  rejected: Count('Those that the studio rejected.'),
  canceled: Count('Those that the customer canceled.'),
  due_deliveries: Count('Deliveries of these jobs that had a due date: first ones, and rounds that promise one.'),
  on_time_share: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: `The share of \`due_deliveries\` that ${onTime}. Figures count first deliveries, on the day of each.`,
    }),
    'Null if none had a due date.',
  ),
  turnaround_p50_seconds: Seconds(
    'Half of the delivered jobs took at most this long from creation to first delivery, without the time in which a question to the customer was open.',
  ),
  turnaround_p90_seconds: Seconds('Nine of ten delivered jobs took at most this long.'),
  revision_rounds: Count('Revisions that customers requested.'),
  noted_minutes: Count(
    'Minutes that operators noted on jobs that ended. Of an operator, those that they noted themselves.',
  ),
};

const ReportRow = Closed(
  {
    key: Type.String({
      description: 'Of an option, family and option; else the id of the account, operator or worker key.',
      examples: ['design.logo'],
    }),
    name: Type.String({ description: 'Its name today.' }),
    ...measures,
  },
  { $id: 'ReportRow', description: 'Outcomes of the ended jobs of one option, customer, operator or worker.' },
);

const ofEnded = 'A job counts when it ended. Default: the last 30 days.';

export const listReportRows = endpoint({
  operationId: 'listReportRows',
  method: 'GET',
  path: '/api/operator/v1/reports',
  tag: 'Desk',
  summary: 'Compare options, customers, operators or workers',
  description: `${ofEnded} A job belongs to the operator or worker who submitted its first delivery. Without a delivery it belongs to the operator who rejected it, or to none.`,
  auth: 'operator',
  right: 'read_figures',
  query: Closed({
    per: Type.Optional(
      Type.Enum([...dimensions], { type: 'string', default: 'option', description: 'What the rows are about.' }),
    ),
    ...periodBounds,
    ...page,
  }),
  answers: {
    200: {
      description: 'Most jobs first.',
      schema: Closed({ report_rows: Type.Array(ReportRow), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const readReport = endpoint({
  operationId: 'readReport',
  method: 'GET',
  path: '/api/operator/v1/reports/total',
  tag: 'Desk',
  summary: 'Read the outcomes of all ended jobs',
  description: ofEnded,
  auth: 'operator',
  right: 'read_figures',
  query: Closed(periodBounds),
  answers: {
    200: {
      description: 'The report.',
      schema: Closed({
        report: Closed(
          {
            period: Closed(
              { start: Timestamp('Start, inclusive.'), end: Timestamp('End, exclusive.') },
              { description: 'What the report is about.' },
            ),
            total: Closed(measures, { description: 'Over all ended jobs.' }),
            rejections: Type.Array(
              Closed({
                code: Type.String({ description: 'The kind of reason.', examples: ['out_of_scope'] }),
                jobs: Count('Jobs rejected for it.'),
              }),
              { description: 'Why jobs were rejected, the most frequent reason first.' },
            ),
          },
          { $id: 'Report', description: 'Outcomes of ended jobs.' },
        ),
      }),
    },
  },
  errors: { 400: ['invalid_request'] },
});
