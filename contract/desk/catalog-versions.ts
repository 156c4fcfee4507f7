import Type, { type Static } from 'typebox';
import { catalogVersionBounds as bounds, largestCatalog } from './catalog-version-bounds.ts';
import { endpoint } from '../endpoint.ts';
import { visibleText } from '../jobs/new-job.ts';
import { Closed, Creator, NextCursor, Nullable, page, Timestamp } from '../shapes.ts';

const Version = Type.Integer({ minimum: 1, description: 'Versions are counted from 1.' });
const fileName = {
  description:
    '`families.yaml`, `plans.yaml`, `file-types.yaml`, `studio.yaml`, a picture that it names, or `pictures/<family>/<option>.<ending>`.',
  examples: ['families.yaml'],
};
const file = Type.String(fileName);
const sha256 = Type.String({ description: 'The SHA-256 of its bytes in hexadecimal.' });

const CatalogVersion = Closed(
  {
    number: Version,
    note: Nullable(Type.String(), 'What its author wrote about it.'),
    created_by: Nullable(Creator, 'Null if it was published from files, at a start or by the command line.'),
    created_at: Timestamp('When it was published.'),
    republished_from: Nullable(Type.Integer(), 'The earlier version that it is again.'),
  },
  { $id: 'CatalogVersion', description: 'One publication of the catalog and face of the studio. It never changes.' },
);

const ChangedLine = Closed(
  {
    kind: Type.Enum(['same', 'added', 'removed'], { type: 'string', description: 'What happened to the line.' }),
    before: Nullable(Type.Integer(), 'Its number before; null for an added line.'),
    after: Nullable(Type.Integer(), 'Its number now; null for a removed line.'),
    text: Type.String({ description: 'The line.' }),
  },
  { $id: 'ChangedLine', description: 'A line that changed, or one of three around it.' },
);

const DocumentChange = Closed(
  {
    file,
    kind: Type.Enum(['added', 'removed', 'changed'], { type: 'string', description: 'What happened to the file.' }),
    lines: Type.Array(ChangedLine, {
      description: 'Changed lines, each with the three lines before and after it, at most 10,000. Empty for pictures.',
    }),
  },
  { $id: 'DocumentChange', description: 'A file that changed.' },
);
export type DocumentChange = Static<typeof DocumentChange>;

const StoredDocument = Closed(
  {
    file,
    text: Nullable(Type.String(), 'Its text; null for a picture.'),
    sha256,
    size_bytes: Type.Integer({ minimum: 0, description: 'Its size.' }),
  },
  { $id: 'StoredDocument', description: 'A file of a version.' },
);

const NewDocument = Closed(
  {
    file: Type.String({
      maxLength: bounds.file,
      pattern: '^(?:pictures/[A-Za-z0-9_-]{1,60}/)?[A-Za-z0-9][A-Za-z0-9_.-]{0,119}$',
      ...fileName,
    }),
    text: Type.Optional(
      Nullable(
        Type.String({ maxLength: bounds.text }),
        'Its text. Null, as versions have it for pictures, is no content.',
      ),
    ),
    base64: Type.Optional(Type.String({ maxLength: bounds.base64, description: 'Its bytes in base64.' })),
    sha256: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'A file of any version, which need not be sent again. Beside a text or bytes it says nothing.',
      }),
    ),
    size_bytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: largestCatalog,
        description: 'Of no effect: files of a version can be sent as they were answered.',
      }),
    ),
  },
  { $id: 'NewDocument', description: 'A file with one of `text`, `base64` and `sha256`.' },
);
export type NewDocument = Static<typeof NewDocument>;

const documents = Type.Array(NewDocument, {
  maxItems: bounds.documents,
  examples: [[{ file: 'families.yaml', text: 'families: []\n' }]],
  description: 'All files of the version. A file that is left out is removed.',
});

const Problem = Closed(
  {
    file,
    line: Nullable(Type.Integer({ minimum: 1 }), 'Counted from 1; null if the problem is about the file.'),
    column: Nullable(Type.Integer({ minimum: 1 }), 'Counted from 1.'),
    message: Type.String({ description: 'Where in the document, and why it cannot be used.' }),
    path: Nullable(
      Type.String({ examples: ['/families/0/options/1/turnaround_hours'] }),
      'The field, as a JSON pointer into the document; null if the problem is about the file.',
    ),
    reason: Type.String({ description: 'Why it cannot be used.' }),
  },
  { $id: 'CatalogProblem', description: 'Why documents cannot be published.' },
);
export type CatalogProblem = Static<typeof Problem>;

const PriceVerdict = Closed(
  {
    plan_code: Type.String({ description: 'The code of the plan in `plans.yaml`.' }),
    reason: Nullable(Type.String(), 'Why checkout would be closed; null if the price at the provider is the same.'),
  },
  { $id: 'PriceVerdict', description: 'What the payment provider says about a price.' },
);

const ServiceInUse = Closed(
  {
    service_family: Type.String({ description: 'The id of a family.' }),
    service_type: Nullable(Type.String(), 'The id of the option; null for drafts that name only the family.'),
    open_jobs: Type.Integer({ description: 'Jobs that have not ended. They keep what they were promised.' }),
    open_drafts: Type.Integer({ description: 'Drafts, which are told what changed.' }),
  },
  { $id: 'ServiceInUse', description: 'A service that changes, and what is open of it.' },
);

const CleanedFile = Closed(
  {
    file,
    taken_out: Type.Array(Type.String(), { description: 'In words.', examples: [['a <script>']] }),
  },
  { $id: 'CleanedFile', description: 'An SVG of which something is never served.' },
);

const versions = '/api/operator/v1/catalog-versions';
const params = Closed({ number: Type.String({ description: 'The number of the version.', examples: ['3'] }) });
const common = { tag: 'Desk', auth: 'operator' } as const;
const reading = { ...common, right: 'work' } as const;
const publishing = { ...common, right: 'manage_studio', csrf: true } as const;

const publication = {
  note: Type.Optional(
    Type.String({
      ...visibleText(bounds.note),
      description: '1 to 500 visible characters without spaces at the ends, about the change.',
    }),
  ),
  expected_version: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    examples: [3],
    description: 'The newest version that you know. If there is a newer one, nothing is published.',
  }),
};
const created = {
  201: { description: 'Published.', schema: Closed({ catalog_version: CatalogVersion }) },
} as const;
const location = `${versions}/{catalog_version.number}`;
const unpublished = ['catalog_changed', 'catalog_in_files'] as const;

export const listCatalogVersions = endpoint({
  ...reading,
  operationId: 'listCatalogVersions',
  method: 'GET',
  path: versions,
  summary: 'List the versions of the catalog',
  query: Closed(page),
  answers: {
    200: {
      description: 'Newest first. The newest is the one that all processes serve.',
      schema: Closed({
        catalog_versions: Type.Array(CatalogVersion),
        in_files: Type.Boolean({
          description: 'Whether the studio keeps its catalog in files: nothing is published here.',
        }),
        next_cursor: NextCursor,
      }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const readCatalogVersion = endpoint({
  ...reading,
  operationId: 'readCatalogVersion',
  method: 'GET',
  path: `${versions}/{number}`,
  summary: 'Read a version of the catalog',
  params,
  answers: {
    200: {
      description: 'Its documents, and what changed since the version before.',
      schema: Closed({
        catalog_version: Closed(
          {
            ...CatalogVersion.properties,
            documents: Type.Array(StoredDocument),
            changes: Type.Array(DocumentChange),
          },
          { $id: 'CatalogVersionDocuments', description: 'A version with its documents.' },
        ),
      }),
    },
  },
  errors: { 404: ['catalog_version_not_found'] },
});

export const checkCatalog = endpoint({
  ...publishing,
  operationId: 'checkCatalog',
  method: 'POST',
  path: `${versions}/check`,
  summary: 'Check documents of the catalog',
  description: 'Nothing is stored. Documents without problems can be published.',
  idempotent: 'by_nature',
  largestBody: largestCatalog,
  body: Closed(
    {
      documents,
      with_prices: Type.Optional(
        Type.Boolean({ description: 'Whether the payment provider is asked. True when left out.' }),
      ),
      retire_left_out: Type.Optional(
        Type.Boolean({
          description: 'Whether what is left out although something refers to it is put back, retired.',
        }),
      ),
    },
    { $id: 'DocumentsToCheck', description: 'What would be published.' },
  ),
  answers: {
    200: {
      description: 'Its problems, its changes since the newest version, and what the payment provider says.',
      schema: Closed({
        catalog_check: Closed(
          {
            problems: Type.Array(Problem),
            changes: Type.Array(DocumentChange),
            prices: Type.Array(PriceVerdict, {
              description: 'Of each plan that is offered; empty while there are problems.',
            }),
            any_price: Type.Boolean({ description: 'Whether the provider takes any price, as the sandbox does.' }),
            services: Type.Array(ServiceInUse, {
              description: 'Services that change or end, of which something is open; empty while there are problems.',
            }),
            cleaned: Type.Array(CleanedFile, { description: 'SVG files of which something is taken out.' }),
            retired: Type.Array(Type.String(), {
              description: 'With `retire_left_out`: families, options as `family/option` and plans that are put back.',
            }),
            put_back: Type.Array(NewDocument, { description: 'The documents that they were put back into.' }),
          },
          { $id: 'CatalogCheck', description: 'What publishing these documents would do.' },
        ),
      }),
    },
  },
  errors: { 422: ['invalid_request'] },
});

export const publishCatalog = endpoint({
  ...publishing,
  operationId: 'publishCatalog',
  method: 'POST',
  path: versions,
  summary: 'Publish a version of the catalog',
  description:
    'All processes serve it within a second. Jobs keep what was promised when they were ordered. What something refers to cannot be left out: set `retired: true`, and it is no longer offered.',
  idempotent: 422,
  largestBody: largestCatalog,
  body: Closed({ documents, ...publication }, { $id: 'NewCatalogVersion', description: 'All files and a note.' }),
  location,
  answers: created,
  errors: { 409: unpublished, 422: ['invalid_request', 'invalid_catalog'] },
});

export const republishCatalog = endpoint({
  ...publishing,
  operationId: 'republishCatalog',
  method: 'POST',
  path: `${versions}/{number}/publish`,
  summary: 'Publish an earlier version of the catalog again',
  description:
    'Its documents become the newest version, after the same checks. What it lacks although something refers to it is added, retired.',
  idempotent: 422,
  params,
  body: Closed(publication, { $id: 'Republication', description: 'A note and the newest version that you know.' }),
  location,
  answers: created,
  errors: { 404: ['catalog_version_not_found'], 409: unpublished, 422: ['invalid_request', 'invalid_catalog'] },
});
