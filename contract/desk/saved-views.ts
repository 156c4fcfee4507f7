import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Status } from '../jobs/job.ts';
import { visibleText } from '../jobs/new-job.ts';
import { queueView } from './queue.ts';
import { savedViewBounds } from './saved-view-bounds.ts';
import { Closed, Creator, Id, IdParams, NextCursor, page, Timestamp } from '../shapes.ts';

const fields = {
  shared: Type.Boolean({
    description: 'Whether all operators see it. Others are seen by their maker alone.',
    examples: [true],
  }),
  filter: Closed(
    { ...queueView, status: Type.Optional(Type.Array(Status, { maxItems: 8, description: 'Any of these.' })) },
    {
      description: 'Filter and order, as the list of jobs takes them. `me` is whoever looks.',
      examples: [{ status: ['rejected'], ended_from: '2026-11-01', ended_to: '2026-11-30', sort: 'newest' }],
    },
  ),
};

const SavedView = Closed(
  {
    id: Id('view'),
    name: Type.String({ description: 'Its name.' }),
    ...fields,
    created_by: Creator,
    created_at: Timestamp('When it was saved.'),
    updated_at: Timestamp('When it was last changed.'),
  },
  { $id: 'SavedView', description: 'A filter of the list of jobs with a name.' },
);

const body = Closed(
  {
    name: Type.String({
      ...visibleText(savedViewBounds.name),
      description: '1 to 60 visible characters. Spaces around them are dropped.',
      examples: ['Friday list'],
    }),
    ...fields,
  },
  { $id: 'NewSavedView', description: 'A name and a filter.' },
);

const savedViews = '/api/operator/v1/saved-views';
const common = { tag: 'Desk', auth: 'operator', right: 'work' } as const;
const params = IdParams('view');
const notFound = { 404: ['saved_view_not_found'] } as const;
const invalid = { 422: ['invalid_request'] } as const;
const schema = Closed({ saved_view: SavedView });

export const listSavedViews = endpoint({
  ...common,
  operationId: 'listSavedViews',
  method: 'GET',
  path: savedViews,
  summary: 'List your saved views and the shared ones',
  query: Closed(page),
  answers: {
    200: {
      description: 'Oldest first.',
      schema: Closed({ saved_views: Type.Array(SavedView), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const createSavedView = endpoint({
  ...common,
  operationId: 'createSavedView',
  method: 'POST',
  path: savedViews,
  summary: 'Save a filter of the list of jobs',
  description: `An operator has at most ${savedViewBounds.count}. A service of a saved view is kept in the catalog, as one that jobs refer to.`,
  csrf: true,
  idempotent: 422,
  body,
  location: savedViews,
  answers: { 201: { description: 'Saved.', schema } },
  errors: { 403: ['limit_reached'], ...invalid },
});

export const replaceSavedView = endpoint({
  ...common,
  operationId: 'replaceSavedView',
  method: 'PUT',
  path: `${savedViews}/{id}`,
  summary: 'Replace a saved view',
  description: 'Its maker may; a shared one also a lead or owner, who cannot make it private.',
  csrf: true,
  params,
  body,
  answers: { 200: { description: 'The changed view.', schema } },
  errors: { ...notFound, ...invalid },
});

export const deleteSavedView = endpoint({
  ...common,
  operationId: 'deleteSavedView',
  method: 'DELETE',
  path: `${savedViews}/{id}`,
  summary: 'Delete a saved view',
  description: 'Its maker may; a shared one also a lead or owner.',
  csrf: true,
  params,
  answers: { 200: { description: 'Deleted.', schema } },
  errors: notFound,
});
