import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { type ExportedList, exportedLists } from './exported-lists.ts';
import { Done } from '../people/people.ts';
import { Closed } from '../shapes.ts';

export const startExport = endpoint({
  operationId: 'startExport',
  method: 'POST',
  path: '/api/operator/v1/exports/start',
  tag: 'Desk',
  summary: 'Record that a whole list is about to be saved',
  description:
    'The pages of the desk send it before they read all pages of a list into a file. The audit log keeps who saved which list with which filters. Reports need any operator, other lists a lead or owner.',
  auth: 'operator',
  right: 'read_figures',
  csrf: true,
  idempotent: 422,
  body: Closed({
    list: Type.Enum(Object.keys(exportedLists) as ExportedList[], {
      type: 'string',
      description: 'The list.',
      examples: ['jobs'],
    }),
    filters: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description: 'The query of the list, without the page. What `q` searches for is kept as `*`.',
        examples: ['status=queued&sort=due'],
      }),
    ),
  }),
  answers: { 200: { description: 'Recorded: read the list now.', schema: Done } },
  errors: { 422: ['invalid_request'] },
});
