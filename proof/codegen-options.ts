import { join } from 'node:path';

export const kyselyCodegen = join(import.meta.dirname, 'node_modules/.bin/kysely-codegen');

/** Contract types for columns with a CHECK. The rest of `server/tables.ts` comes from the database. */
const imports = {
  AccessKind: '../contract/ordering/catalog.ts',
  AccountEventType: '../contract/jobs/events.ts',
  Actor: '../contract/moves.ts',
  EntitlementStatus: '../contract/plans/entitlements.ts',
  FileStatus: '../contract/files/file.ts',
  IntentBrief: '../contract/jobs/brief.ts',
  JobStatus: '../contract/moves.ts',
  OperatorRole: '../contract/desk/operator-roles.ts',
  Orders: '../contract/plans/entitlements.ts',
  PictureStatus: '../contract/files/file.ts',
  Purpose: '../contract/files/file.ts',
  Role: '../contract/plans/roles.ts',
  Scope: '../contract/endpoint.ts',
  Source: '../contract/jobs/job.ts',

  Uploader: '../contract/files/file.ts',
};

const file = { purpose: 'Purpose', uploaded_by: 'Uploader' };

const tables: Record<string, Record<string, string>> = {
  api_keys: { scopes: 'Scope[]' },
  imported_people: { role: 'Role' },
  invitations: { role: 'Role' },
  members: { role: 'Role', orders: 'Generated<Orders>' },
  people: { operator_role: 'OperatorRole | null' },
  operator_invitations: { role: 'OperatorRole' },
  entitlements: { access_kind: 'AccessKind', status: "Exclude<EntitlementStatus, 'expired'>" },
  events: {
    actor: 'Actor',
    previous_status: 'JobStatus | null',
    status: 'JobStatus | null',
    type: 'AccountEventType',
  },
  files: {
    ...file,
    status: 'Generated<FileStatus>',
    poster_status: 'Generated<PictureStatus>',
    viewing_status: 'Generated<PictureStatus>',
  },
  jobs: {
    intent_brief: 'ColumnType<IntentBrief | null, string | null>',
    metadata: 'ColumnType<Record<string, string>, string | undefined>',
    source: 'Source',
    status: 'JobStatus',
  },
  visible_files: {
    purpose: 'Purpose',
    status: 'FileStatus',
    poster_status: 'PictureStatus',
    viewing_status: 'PictureStatus',
    uploaded_by: 'Uploader',
  },
};

const columns = Object.fromEntries(
  Object.entries(tables).flatMap(([table, types]) =>
    Object.entries(types).map(([column, type]) => [`${table}.${column}`, type]),
  ),
);

export const codegenOptions = (url: string): string[] => [
  '--dialect',
  'postgres',
  '--url',
  url,
  '--custom-imports',
  JSON.stringify(imports),
  '--overrides',
  JSON.stringify({ columns }),
];
