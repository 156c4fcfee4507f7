import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { answeredFields, sentFields, visibleText } from '../jobs/new-job.ts';
import { reusedNames } from '../jobs/optional-fields.ts';
import { Closed, Creator, Id, IdParams, NextCursor, Nullable, page, Timestamp } from '../shapes.ts';

/** What a template may have, and an account of them. */
export const templateBounds = { perAccount: 100, name: 60, answers: 50, answer: 5_000, files: 20, words: 20_000 };

const Requirement = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });

export const Template = Closed(
  {
    id: Id('tpl'),
    name: Type.String({ description: 'Unique in the account, in any case.' }),
    service_family: Type.String({ description: 'A family id of the catalog.' }),
    service_type: Nullable(Type.String(), 'An option id of that family; null if it is to be chosen.'),
    answers: Type.Array(
      Closed({
        requirement: Type.String({ description: 'A requirement of the service.' }),
        answer: Type.String({ description: 'Its answer.' }),
      }),
      { description: 'In the order in which they were sent.' },
    ),
    file_ids: Type.Array(Id('file'), { description: 'Files that are kept as long as the template has them.' }),
    words: Type.String({ description: 'What goes to the studio below the answers.' }),
    ...answeredFields(reusedNames),
    created_by: Creator,
    created_at: Timestamp('When it was created.'),
    updated_at: Timestamp('When it was last changed.'),
  },
  {
    $id: 'Template',
    description: 'An order to start from. Every member of the account can use and change it; `created_by` stays.',
  },
);

const body = Closed(
  {
    name: Type.String({
      ...visibleText(templateBounds.name),
      description:
        '1 to 60 visible characters. Spaces around them are dropped. No other template of the account has it.',
      examples: ['Monthly newsletter'],
    }),
    service_family: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'A family id of the catalog.',
      examples: ['design'],
    }),
    service_type: Type.Optional(
      Nullable(Type.String({ minLength: 1, maxLength: 100 }), 'An option id of that family; null to choose it later.'),
    ),
    answers: Type.Optional(
      Type.Array(
        Closed({
          requirement: Requirement('A requirement of the service.'),
          answer: Type.String({
            minLength: 1,
            maxLength: templateBounds.answer,
            pattern: '\\S',
            description: 'The answer, at most 5,000 code points.',
          }),
        }),
        { maxItems: templateBounds.answers, description: 'At most one for each requirement.' },
      ),
    ),
    file_ids: Type.Optional(
      Type.Array(Id('file'), {
        maxItems: templateBounds.files,
        uniqueItems: true,
        description: 'Uploads of the account that belong to no job, at most 20.',
      }),
    ),
    words: Type.Optional(Type.String({ maxLength: templateBounds.words, description: 'At most 20,000 code points.' })),
    ...sentFields(reusedNames),
  },
  { $id: 'NewTemplate', description: 'What a template has. What is left out is empty.' },
);

const templates = '/api/v1/templates';
const common = { tag: 'Intake', auth: 'caller' } as const;
const params = IdParams('tpl');
const notFound = { 404: ['template_not_found'] } as const;
const invalid = { 422: ['invalid_request', 'unsupported_service', 'unsafe_request'] } as const;

export const listTemplates = endpoint({
  ...common,
  operationId: 'listTemplates',
  method: 'GET',
  path: templates,
  summary: 'List the templates of the account',
  description: 'Newest first.',
  query: Closed(page),
  answers: {
    200: {
      description: 'One page.',
      schema: Closed({ templates: Type.Array(Template), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const createTemplate = endpoint({
  ...common,
  operationId: 'createTemplate',
  method: 'POST',
  path: templates,
  summary: 'Create a template',
  description: `An account can have ${templateBounds.perAccount}. Its files are kept without retention, and each draft that starts from it gets copies of them. To start one, send \`template_id\` to \`POST /api/v1/intake/sessions\`.`,
  idempotent: 422,
  body,
  location: templates,
  answers: { 201: { description: 'Created.', schema: Closed({ template: Template }) } },
  errors: { 403: ['limit_reached'], ...invalid },
});

export const replaceTemplate = endpoint({
  ...common,
  operationId: 'replaceTemplate',
  method: 'PUT',
  path: `${templates}/{id}`,
  summary: 'Replace a template',
  description: 'Replaces all of it. Drafts that started from it stay as they are.',
  params,
  body,
  answers: { 200: { description: 'The changed template.', schema: Closed({ template: Template }) } },
  errors: { ...notFound, ...invalid },
});

export const deleteTemplate = endpoint({
  ...common,
  operationId: 'deleteTemplate',
  method: 'DELETE',
  path: `${templates}/{id}`,
  summary: 'Delete a template',
  description: 'The retention of its files counts again.',
  params,
  answers: { 200: { description: 'Deleted.', schema: Closed({ template: Template }) } },
  errors: notFound,
});
