import { join } from 'node:path';

export const kyselyCodegen = join(import.meta.dirname, 'node_modules/.bin/kysely-codegen');

/** Contract types for columns with a CHECK. The rest of `server/tables.ts` comes from the database. */
const imports = {
  AccessKind: '../contract/catalog.ts',
  AccountEventType: '../contract/events.ts',
  Actor: '../contract/moves.ts',
  EntitlementStatus: '../contract/entitlements.ts',
  FileStatus: '../contract/file.ts',
  IntentBrief: '../contract/brief.ts',
  JobStatus: '../contract/moves.ts',
  OperatorRole: '../contract/operator-roles.ts',
  Purpose: '../contract/file.ts',
  Role: '../contract/entitlements.ts',
  Scope: '../contract/endpoint.ts',
  Source: '../contract/job.ts',
  PosterStatus: '../contract/file.ts',
  Uploader: '../contract/file.ts',
};

const file = { purpose: 'Purpose', uploaded_by: 'Uploader' };

const tables: Record<string, Record<string, string>> = {
  api_keys: { scopes: 'Scope[]' },
  invitations: { role: "Exclude<Role, 'owner'>" },
  members: { role: 'Role' },
  people: { operator_role: 'OperatorRole | null' },
  operator_invitations: { role: 'OperatorRole' },
  entitlements: { access_kind: 'AccessKind', status: "Exclude<EntitlementStatus, 'expired'>" },
  events: {
    actor: 'Actor',
    previous_status: 'JobStatus | null',
    status: 'JobStatus | null',
    type: 'AccountEventType',
  },
  files: { ...file, status: 'Generated<FileStatus>', poster_status: 'Generated<PosterStatus>' },
  jobs: {
    intent_brief: 'ColumnType<IntentBrief | null, string | null>',
    metadata: 'ColumnType<Record<string, string>, string | undefined>',
    source: 'Source',
    status: 'JobStatus',
  },
  visible_files: { purpose: 'Purpose', status: 'FileStatus', poster_status: 'PosterStatus', uploaded_by: 'Uploader' },
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
