import Type from 'typebox';
import { Text } from './job.ts';
import { endpoint } from '../endpoint.ts';
import { visibleText } from '../jobs/new-job.ts';
import { macroBounds } from './macro-text.ts';
import { Closed, Creator, Id, IdParams, NextCursor, page, Timestamp } from '../shapes.ts';

const Macro = Closed(
  {
    id: Id('mac'),
    name: Type.String({ description: 'Unique in any case.' }),
    text: Type.String({ description: 'The text with its placeholders.' }),
    created_by: Creator,
    created_at: Timestamp('When it was created.'),
    updated_at: Timestamp('When it was last changed.'),
  },
  { $id: 'Macro', description: 'A text that operators insert. The desk fills its placeholders.' },
);

const body = Closed(
  {
    name: Type.String({
      ...visibleText(macroBounds.name),
      description: '1 to 60 visible characters. Spaces around them are dropped. No other macro has it.',
      examples: ['First sketch'],
    }),
    text: Text(
      macroBounds.text,
      'At most 5,000 code points. Placeholders: `{customer}`, `{title}` and `{round}`; others are refused.',
      'Hello {customer}, here is delivery {round} of “{title}”.',
    ),
  },
  { $id: 'NewMacro', description: 'A name and a text.' },
);

const macros = '/api/operator/v1/macros';
const common = { tag: 'Desk', auth: 'operator', right: 'work' } as const;
const params = IdParams('mac');
const notFound = { 404: ['macro_not_found'] } as const;
const invalid = { 422: ['invalid_request'] } as const;
const schema = Closed({ macro: Macro });

export const listMacros = endpoint({
  ...common,
  operationId: 'listMacros',
  method: 'GET',
  path: macros,
  summary: 'List the macros',
  query: Closed(page),
  answers: {
    200: {
      description: 'Newest first.',
      schema: Closed({ macros: Type.Array(Macro), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const createMacro = endpoint({
  ...common,
  operationId: 'createMacro',
  method: 'POST',
  path: macros,
  summary: 'Create a macro',
  description: `All operators share at most ${macroBounds.count}.`,
  csrf: true,
  idempotent: 422,
  body,
  location: macros,
  answers: { 201: { description: 'Created.', schema } },
  errors: { 403: ['limit_reached'], ...invalid },
});

export const replaceMacro = endpoint({
  ...common,
  operationId: 'replaceMacro',
  method: 'PUT',
  path: `${macros}/{id}`,
  summary: 'Replace a macro',
  csrf: true,
  params,
  body,
  answers: { 200: { description: 'The changed macro.', schema } },
  errors: { ...notFound, ...invalid },
});

export const deleteMacro = endpoint({
  ...common,
  operationId: 'deleteMacro',
  method: 'DELETE',
  path: `${macros}/{id}`,
  summary: 'Delete a macro',
  csrf: true,
  params,
  answers: { 200: { description: 'Deleted.', schema } },
  errors: notFound,
});
