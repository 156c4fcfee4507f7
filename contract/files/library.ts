import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Status } from '../jobs/job.ts';
import { brandBounds } from '../ordering/brand-bounds.ts';
import { libraryViews, type LibraryView } from './library-views.ts';
import { archiveAnswers } from './archives.ts';
import { File, posterFields } from './file.ts';
import { Closed, Count, Id, NextCursor, Nullable, page, RequestTime, Timestamp } from '../shapes.ts';

const tag = 'Library';

/** The most that one zip of several jobs holds. */
export const archiveBounds = { jobs: 100, bytes: 2 * 1024 ** 3 };

/** Within so many days, the library says that files leave. */
export const leavingDays = 7;

const Part = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }));

const libraryFilters = {
  service_family: Part('Family id.'),
  service_type: Part('Id of an option of the family.'),
  brand: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: brandBounds.text,
      description: 'The brand name in the copy of the brand kit.',
    }),
  ),
  person_id: Type.Optional(Id('user', 'Jobs that this person ordered.')),
  approved_after: Type.Optional(RequestTime('Approved at this time or later; without an approval, created.')),
  approved_before: Type.Optional(RequestTime('Approved before this time; without an approval, created.')),
  leaving: Type.Optional(
    Type.Boolean({ description: `Only jobs of which files leave within ${leavingDays} days, or only others.` }),
  ),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A part of the title or of the name of a file, in any case; or the id of the job.',
    }),
  ),
};
const Filters = Closed(libraryFilters);
export type LibraryFilters = Static<typeof Filters>;

/** Which approved jobs an archive or a link takes. */
export const chosenJobs = (most: number) => ({
  job_ids: Type.Optional(
    Type.Array(Id('job'), {
      minItems: 1,
      maxItems: most,
      uniqueItems: true,
      description: 'Completed jobs. Default: all that the filters leave.',
    }),
  ),
  ...libraryFilters,
});

const LibraryFile = Closed(
  {
    id: Id('file'),
    file_name: File.properties.file_name,
    content_type: File.properties.content_type,
    size_bytes: File.properties.size_bytes,
    ...posterFields,
  },
  { $id: 'LibraryFile', description: 'A file of a job in the library.' },
);

export const LibraryJob = Closed(
  {
    job_id: Id('job'),
    customer_title: Type.String({ description: 'The title of the job.' }),
    service_family: Type.String({ description: 'Family id.' }),
    service_type: Type.String({ description: 'Id of the option.' }),
    brand_name: Nullable(Type.String(), 'Of the copy of the brand kit that went along.'),
    status: Status,
    approved_at: Nullable(Timestamp('When the job was completed.'), 'Null while it is not.'),
    imported_at: Nullable(Timestamp('When the studio imported it.'), 'Null for jobs that were ordered here.'),
    round: Nullable(
      Type.Integer({ minimum: 0 }),
      'The delivery that `files` are of, 0 for the first; null if they are uploads of the account.',
    ),
    earlier_deliveries: Count('Deliveries before it.'),
    files: Type.Array(LibraryFile, { description: 'The first three that still have their bytes.' }),
    file_count: Count('Files that still have their bytes.'),
    size_bytes: Count('Their size together, in bytes.'),
    kept_until: Nullable(
      Timestamp('When the first of them leaves.'),
      'Null while the job is under way, and when none is left.',
    ),
    gone_at: Nullable(Timestamp('When the last of them left.'), 'Null while one is left.'),
  },
  { $id: 'LibraryJob', description: 'A job with the files of its last delivery, or with uploads of the account.' },
);

export const listLibrary = endpoint({
  operationId: 'listLibrary',
  method: 'GET',
  path: '/api/v1/library',
  tag,
  summary: 'List finished work by job',
  description:
    'Newest first. `approved`: completed jobs with their last delivery, by the time of approval. `studio`: all jobs with a delivery; `mine`: jobs with uploads of the account, and these; `all`: both, by creation.',
  auth: 'caller',
  reviewers: true,
  query: Closed({
    view: Type.Optional(
      Type.Enum([...libraryViews], { type: 'string', default: 'approved', description: 'Which jobs.' }),
    ),
    ...libraryFilters,
    ...page,
  }),
  answers: {
    200: { description: 'One page.', schema: Closed({ jobs: Type.Array(LibraryJob), next_cursor: NextCursor }) },
  },
  errors: { 400: ['invalid_request'] },
});

export const countLibrary = endpoint({
  operationId: 'countLibrary',
  method: 'GET',
  path: '/api/v1/library/counts',
  tag,
  summary: 'Count the jobs of each view of the library',
  description: 'Without filters, and with what can be filtered by. Counts end at 1,000.',
  auth: 'caller',
  reviewers: true,
  answers: {
    200: {
      description: 'The counts.',
      schema: Closed({
        counts: Closed(
          Object.fromEntries(libraryViews.map((view) => [view, Count(`Jobs of \`${view}\`.`)])) as Record<
            LibraryView,
            ReturnType<typeof Count>
          >,
          { description: 'Jobs by view.' },
        ),
        leaving: Count(`Approved jobs of which files leave within ${leavingDays} days.`),
        filters: Closed(
          {
            services: Type.Array(
              Closed({
                service_family: LibraryJob.properties.service_family,
                service_type: LibraryJob.properties.service_type,
              }),
              { description: 'Of the approved jobs.' },
            ),
            brands: Type.Array(Type.String(), { description: 'Brand names of approved jobs, by name.' }),
          },
          { description: 'What approved jobs can be filtered by.' },
        ),
      }),
    },
  },
  errors: {},
});

export const createLibraryArchive = endpoint({
  operationId: 'createLibraryArchive',
  method: 'POST',
  path: '/api/v1/library/archive',
  tag,
  summary: 'Request a short-lived URL of finished work as one zip',
  description: `The last deliveries of approved jobs, a folder for each job. At most ${archiveBounds.jobs} jobs and ${archiveBounds.bytes / 1024 ** 3} GiB: filters that leave more, and more bytes, are 403 \`limit_reached\`, which says how much it would be; more \`job_ids\` are 422 \`invalid_request\`.`,
  auth: 'caller',
  reviewers: true,
  scope: 'api:read',
  idempotent: 'by_nature',
  body: Closed(chosenJobs(archiveBounds.jobs)),
  answers: archiveAnswers,
  errors: { 403: ['limit_reached'], 404: ['file_not_found', 'job_not_found'], 422: ['invalid_request'] },
});
