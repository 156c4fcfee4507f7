/** Contract types for columns with a CHECK. The rest of `server/tables.ts` comes from the database. */
const imports = {
  AccessKind: '../contract/catalog.ts',
  AccountEventType: '../contract/events.ts',
  Actor: '../contract/moves.ts',
  EntitlementStatus: '../contract/entitlements.ts',
  FileStatus: '../contract/files.ts',
  IntentBrief: '../contract/job.ts',
  JobStatus: '../contract/moves.ts',
  Purpose: '../contract/files.ts',
  Role: '../contract/entitlements.ts',
  Scope: '../contract/endpoint.ts',
  Source: '../contract/job.ts',
  Uploader: '../contract/files.ts',
};

const file = { purpose: 'Purpose', uploaded_by: 'Uploader' };

const tables: Record<string, Record<string, string>> = {
  api_keys: { scopes: 'Scope[]' },
  'auth.invitation': { role: "Exclude<Role, 'owner'>" },
  'auth.member': { role: 'Role' },
  entitlements: { access_kind: 'AccessKind', status: "Exclude<EntitlementStatus, 'expired'>" },
  events: {
    actor: 'Actor',
    previous_status: 'JobStatus | null',
    status: 'JobStatus | null',
    type: 'AccountEventType',
  },
  files: { ...file, status: 'Generated<FileStatus>' },
  jobs: {
    intent_brief: 'ColumnType<IntentBrief | null, string | null>',
    metadata: 'ColumnType<Record<string, string>, string | undefined>',
    source: 'Source',
    status: 'JobStatus',
  },
  visible_files: { purpose: 'Purpose', status: 'FileStatus', uploaded_by: 'Uploader' },
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
