import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../contract/openapi.ts';
import { swept, sweptOf } from './support/swept.ts';

/** The order of the rooms: a folder of server/ imports only from those before it. The desk has four. */
const order = [
  'lib',
  'http',
  'db',
  'embedded-postgres',
  'mail',
  'events',
  'audit',
  'notifications',
  'catalog',
  'keys',
  'webhooks',
  'sign-in',
  'members',
  'people',
  'access',
  'requirements',
  'safety',
  'model',
  'entitlements',
  'usage',
  'jobs',
  'talk',
  'calendar',
  'files',
  'brand',
  'templates',
  'review',
  'library',
  'intake',
  'orders',
  'billing',
  'closing',
  'desk/operators',
  'desk/accounts',
  'desk/queue',
  'desk/figures',
  'check',
  'backup',
  'macros',
  'saved-views',
  'publishing',
  'imports',
  'feed',
  'connect',
  'mcp',
  'pages',
  'probes',
  'reference',
  'start',
  'doctor',
];

/**
 * Who may write each table, and nobody else. The sign-in library writes credentials, sessions,
 * people and verifications.
 */
const writers: Record<string, string[]> = {
  account_counters: [
    'events/append-events',
    'events/delete-old-events',
    'events/restart-feed',
    'imports/write-customer',
    'jobs/admission-statement',
    'jobs/delete-old-histories',
    'jobs/move',
    'sign-in/person',
  ],
  examinations: ['doctor/examination'],
  account_notes: ['closing/erase-account', 'desk/accounts/replace-account-note'],
  api_keys: [
    'closing/delete-person',
    'closing/erase-account',
    'keys/api-key',
    'keys/connected-app',
    'keys/delete-api-key',
    'keys/new-key',
    'keys/rotate-api-key',
    'backup/end-copied-access',
  ],
  audit_log: ['audit/append-audit', 'audit/delete-old-entries', 'audit/erase-reasons'],
  accounts: [
    'closing/erase-account',
    'imports/write-customer',
    'desk/accounts/reopen-account',
    'desk/accounts/suspend-account',
    'people/delete-unverified-people',
    'members/choose-studio-orders',
    'members/rename-account',
    'sign-in/person',
  ],
  imported_people: ['imports/write-customer', 'members/imported-person'],
  imported_rows: ['imports/write-customer', 'members/imported-person'],
  calendars: ['backup/end-copied-access', 'calendar/create-calendar', 'calendar/end-calendar', 'people/end-made-since'],
  credentials: ['closing/delete-person', 'sign-in/person'],
  invitations: [
    'closing/erase-account',
    'members/cancel-invitation',
    'members/decline-invitation',
    'members/delete-old-invitations',
    'closing/delete-person',
    'members/end-authority',
    'members/imported-person',
    'members/join-account',
    'members/new-invitation',
    'mail/mail-token',
    'backup/end-copied-access',
  ],
  mail_tokens: [
    'sign-in/delete-expired-tokens',
    'closing/delete-person',
    'people/undo-change',
    'mail/mail-token',
    'mail/outbox',
    'backup/end-copied-access',
  ],
  members: [
    'closing/close-account',
    'members/account',
    'members/change-member-role',
    'closing/delete-person',
    'members/end-authority',
    'people/end-made-since',
    'members/join-account',
    'members/leave-account',
    'members/remove-member',
    'sign-in/person',
  ],
  sessions: [
    'closing/erase-account',
    'desk/operators/account-view',
    'desk/accounts/view-account',
    'members/account',
    'people/change-password',
    'sign-in/confirm-second-factor',
    'sign-in/delete-expired-tokens',
    'members/end-authority',
    'people/end-made-since',
    'sign-in/end-session',
    'sign-in/open-session',
    'sign-in/prove-identity',
    'desk/operators/accept-operator-invitation',
    'desk/operators/end-operator',
    'people/reset-password',
    'sign-in/session',
    'sign-in/sign-out',
    'sign-in/take-second-factor',
    'backup/end-copied-access',
  ],
  two_factors: [
    'closing/delete-person',
    'sign-in/open-session',
    'sign-in/reencrypt-second-factors',
    'sign-in/second-factor',
  ],
  // The sign-in library writes these, too.
  notification_choices: ['closing/delete-person', 'mail/notification-choice'],
  notifications: [
    'closing/delete-person',
    'closing/erase-account',
    'mail/notification-choice',
    'notifications/delete-old-notifications',
    'notifications/notification',
    'notifications/notify',
    'notifications/queue-digests',
    'notifications/read-job-notifications',
    'notifications/read-notification',
    'backup/copy',
  ],
  oauth_access_tokens: [
    'closing/delete-person',
    'connect/delete-old-tokens',
    'connect/issue-tokens',
    'backup/end-copied-access',
  ],
  oauth_clients: [
    'connect/create-studio-app',
    'connect/delete-old-tokens',
    'connect/device',
    'connect/metadata-documents',
    'connect/register-app',
    'keys/studio-app',
    'backup/end-copied-access',
  ],
  oauth_consents: ['connect/decide-connection', 'backup/end-copied-access'],
  oauth_device_codes: [
    'closing/delete-person',
    'connect/delete-old-tokens',
    'connect/device',
    'backup/end-copied-access',
  ],
  oauth_refresh_tokens: [
    'closing/delete-person',
    'connect/delete-old-tokens',
    'connect/issue-tokens',
    'connect/refresh-tokens',
    'backup/end-copied-access',
  ],
  oauth_resources: [],
  people: [
    'imports/write-customer',
    'members/accept-invitation',
    'members/imported-person',
    'people/change-profile',
    'people/confirm-email-change',
    'closing/delete-person',
    'people/delete-unverified-people',
    'desk/operators/ensure-operator',
    'sign-in/known-network',
    'sign-in/person',
    'desk/operators/accept-operator-invitation',
    'desk/operators/end-operator',
    'desk/operators/operator',
    'people/reset-password',
    'sign-in/second-factor',
    'people/undo-change',
    'people/verify-email',
  ],
  verifications: ['sign-in/delete-expired-tokens', 'backup/end-copied-access'],
  migration_checksums: ['db/migration-history'],
  events: [
    'closing/erase-account',
    'events/append-events',
    'events/delete-old-events',
    'jobs/admission-statement',
    'jobs/delete-old-histories',
  ],
  brand_kits: ['brand/replace-brand', 'closing/erase-account'],
  checkouts: ['closing/erase-account', 'billing/checkout', 'backup/end-copied-access'],
  caller_idempotency_keys: [
    'closing/delete-person',
    'closing/erase-account',
    'db/idempotency',
    'backup/end-copied-access',
  ],
  unlogged_changes: ['events/unlogged-changes'],
  day_figures: ['desk/figures/store-day-figures'],
  stored_days: ['desk/figures/store-day-figures'],
  entitlement_periods: [
    'billing/subscription-row',
    'jobs/admission-statement',
    'usage/ledger',
    'desk/accounts/create-quota-adjustment',
  ],
  entitlements: ['billing/rewrite-subscription', 'billing/subscription-row'],
  idempotency_keys: [
    'closing/delete-person',
    'closing/erase-account',
    'db/idempotency',
    'jobs/admission-statement',
    'backup/end-copied-access',
  ],
  files: [
    'brand/replace-brand',
    'templates/copy-files',
    'templates/template-file',
    'closing/erase-account',

    'files/copy-file',
    'files/add-poster',
    'files/create-pending-file',
    'files/delete-expired-files',
    'files/delete-file',
    'files/deliverable',
    'files/finalize-upload',
    'files/start-page-upload',
    'files/make-posters',
    'files/films/make-viewing-copies',
    'imports/write-jobs',
    'jobs/admission-statement',
    'jobs/job-file',
    'library/keep-job-files',
    'talk/withdraw',
    'talk/write-message',
  ],
  installation: ['files/installation', 'files/move-storage', 'backup/copy'],
  intake_messages: ['closing/erase-account', 'intake/delete-old-sessions', 'intake/session'],
  intake_sessions: ['closing/erase-account', 'intake/delete-old-sessions', 'intake/session', 'orders/keep-order'],
  job_brands: ['closing/erase-account', 'jobs/admission-statement'],
  job_due_date_changes: ['closing/erase-account', 'desk/queue/reschedule-job', 'jobs/delete-old-histories'],
  job_drafts: ['desk/queue/save-delivery-draft', 'jobs/move'],
  job_viewers: ['desk/queue/view-job'],
  job_message_files: ['talk/withdraw', 'talk/write-message'],
  computed_job_outcomes: [], // a view
  job_outcomes: ['imports/write-jobs', 'jobs/delete-old-histories', 'jobs/move'],
  job_messages: ['closing/erase-account', 'jobs/clock', 'talk/withdraw', 'talk/write-message'],
  job_notes: ['closing/erase-account', 'desk/queue/add-note'],
  job_ticks: ['desk/queue/tick-item'],
  job_times: ['closing/erase-account', 'desk/queue/note-time', 'desk/queue/replace-time', 'desk/queue/withdraw-time'],
  jobs_set_aside: ['closing/erase-account', 'desk/queue/end-set-aside', 'desk/queue/set-job-aside'],
  job_readers: ['closing/delete-person', 'closing/erase-account', 'talk/thread'],
  job_revisions: ['closing/erase-account', 'review/request-revision'],
  comment_replies: ['closing/erase-account', 'review/delete-comment', 'review/reply'],
  review_lookers: ['closing/delete-person', 'closing/erase-account', 'review/looker'],
  job_comments: [
    'closing/erase-account',
    'desk/queue/desk-comment',
    'review/delete-comment',
    'review/request-revision',
    'review/settle-comment',
    'review/update-comment',
    'review/write-comments',
  ],
  job_submissions: ['closing/erase-account', 'desk/queue/submit-job', 'imports/write-jobs', 'jobs/move'],
  job_words: ['closing/erase-account', 'desk/queue/index-jobs', 'jobs/queue-words'],
  unindexed_jobs: [
    'closing/erase-account',
    'desk/queue/index-jobs',
    'imports/write-jobs',
    'jobs/queue-words',
    'members/imported-person',
  ],
  jobs: [
    'closing/erase-account',
    'jobs/admission-statement',
    'jobs/clock',
    'jobs/job-event',
    'jobs/move',
    'jobs/update-job',
    'imports/write-jobs',
    'members/imported-person',
  ],
  saved_views: [
    'desk/operators/end-operator',
    'saved-views/create-saved-view',
    'saved-views/delete-saved-view',
    'saved-views/replace-saved-view',
  ],
  macros: ['macros/create-macro', 'macros/delete-macro', 'macros/replace-macro'],
  catalog_files: ['publishing/publish-version'],
  catalog_versions: ['publishing/publish-version'],
  mails: ['mail/claim-mails', 'mail/outbox', 'backup/copy', 'mail/mail-sender'],
  operator_invitations: [
    'closing/delete-person',
    'desk/operators/accept-operator-invitation',
    'desk/operators/invite-operator',
    'mail/mail-token',
    'members/operator-invitation',
    'sign-in/delete-expired-tokens',
    'backup/end-copied-access',
  ],
  operator_settings: ['desk/operators/operator'],
  orders: ['members/end-authority', 'orders/confirm-order', 'orders/decline-order', 'orders/keep-order'],
  plan_prices: ['billing/prices'],
  provider_customers: ['billing/customer'],
  provider_payments: ['billing/record-payment'],
  provider_event_reviews: ['billing/review-event'],
  provider_events: [
    'billing/apply-event',
    'billing/delete-old-payloads',
    'billing/receive-webhook',
    'billing/record-payment',
    'billing/review-event',
    'billing/rewrite-subscription',
  ],
  review_links: [
    'closing/delete-person',
    'closing/erase-account',
    'keys/insert-link',
    'keys/review-link',
    'library/revoke-show-link',
    'review/read-review',
    'review/revoke-review-link',
    'backup/end-copied-access',
  ],
  templates: [
    'closing/erase-account',
    'templates/create-template',
    'templates/delete-template',
    'templates/replace-template',
  ],
  subscriptions: ['billing/subscription-row'],
  quota_adjustments: ['closing/erase-account', 'desk/accounts/create-quota-adjustment'],
  state_figures: ['probes/record-state'],
  task_runs: ['db/queue', 'probes/task-runs'],
  upload_pages: ['files/upload-page', 'backup/end-copied-access'],
  usage_totals: ['jobs/admission-statement', 'usage/ledger'],
  usage_ledger: ['jobs/admission-statement', 'usage/ledger'],
  visible_files: [], // a view
  webhook_attempts: ['webhooks/record-attempts'],
  webhook_deliveries: [
    'webhooks/claim-deliveries',
    'webhooks/delete-old-deliveries',
    'webhooks/queue-deliveries',
    'webhooks/record-attempts',
    'webhooks/replay-webhook-events',
    'webhooks/webhook-delivery',
    'backup/copy',
  ],
  webhook_endpoints: [
    'closing/erase-account',
    'webhooks/check-failing-endpoints',
    'webhooks/create-webhook-endpoint',
    'webhooks/delete-webhook-endpoint',
    'webhooks/disable-endpoint',
    'webhooks/queue-deliveries',
    'webhooks/record-attempts',
    'webhooks/update-webhook-endpoint',
    'backup/end-copied-access',
    'backup/copy',
  ],
  webhook_signatures: ['billing/webhook-signatures', 'backup/copy'],
  webhook_secrets: ['webhooks/reencrypt-secrets', 'webhooks/rotate-webhook-secret', 'webhooks/webhook-secret'],
  worker_keys: ['keys/create-worker-key', 'keys/delete-worker-key', 'keys/worker-key', 'backup/end-copied-access'],
};

const root = resolve(import.meta.dirname, '..');
const filesOf = (folder: string, ending = /\.(?:tsx?|cjs)$/) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !/(?:^|\/)node_modules\//.test(name))
    .map((name) => join(folder, name));
const text = (file: string) => readFileSync(join(root, file), 'utf8');
const lines = (file: string) => text(file).split('\n').length - 1;
const isTest = (file: string) => file.endsWith('.test.ts');

const server = filesOf('server').filter((file) => !isTest(file));
const contract = filesOf('contract');
const client = filesOf('client').filter((file) => !/^client\/(?:generated|dist)\//.test(file));
const web = ['app', 'build', 'customer', 'desk', 'mcp', 'ui']
  .flatMap((folder) => filesOf(`web/${folder}`))
  .filter((file) => !isTest(file));

/** The files of ours that a file imports, types included. */
function imports(file: string): string[] {
  return [...text(file).matchAll(/from '(\.[^']+)'|import\('(\.[^']+)'\)/g)].map((found) =>
    relative(root, resolve(root, dirname(file), found[1] ?? found[2] ?? '')),
  );
}
function cycles(files: string[]): string[] {
  const done = new Set<string>();
  const visit = (file: string, path: string[]): string[] => {
    if (path.includes(file)) return [[...path, file].join(' → ')];
    if (done.has(file)) return [];
    const found = imports(file)
      .filter((to) => files.includes(to))
      .flatMap((to) => visit(to, [...path, file]));
    done.add(file);
    return found;
  };
  return files.flatMap((file) => visit(file, []));
}
const domain = (file: string) => /^server\/(desk\/[^/]+|[^/]+)\//.exec(file)?.[1];
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A node of the syntax tree of a file: ESTree and its types. */
type Syntax = { type: string; start: number; end: number; [field: string]: unknown };
const isSyntax = (value: unknown): value is Syntax => typeof value === 'object' && value !== null && 'type' in value;
const childrenOf = (node: Syntax): Syntax[] => Object.values(node).flat().filter(isSyntax);
function nodesOf(file: string): Syntax[] {
  const nodes = [parseSync(file, text(file)).program as unknown as Syntax];
  for (const node of nodes) nodes.push(...childrenOf(node));
  return nodes;
}
const functions = ['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'];

/** A function's lines without those of its SQL. */
function longFunctions(file: string, most: number): string[] {
  const source = text(file);
  const span = ({ start, end }: Syntax): number => source.slice(start, end).split('\n').length;
  const isSql = ({ type, tag }: Syntax) => type === 'TaggedTemplateExpression' && isSyntax(tag) && tag.name === 'sql';
  const sqlLines = (node: Syntax): number =>
    isSql(node) ? span(node) - 1 : childrenOf(node).reduce((sum, child) => sum + sqlLines(child), 0);
  return nodesOf(file).flatMap((node) => {
    const lines = functions.includes(node.type) ? span(node) - sqlLines(node) : 0;
    const line = source.slice(0, node.start).split('\n').length;
    return lines > most ? [`${file}:${line} has ${lines} lines`] : [];
  });
}

describe('direction', () => {
  test('contract imports nothing of ours', () => {
    expect(contract.flatMap(imports).filter((file) => !file.startsWith('contract/'))).toEqual([]);
  });

  test('server imports only contract and itself', () => {
    const outside = server.flatMap((file) =>
      imports(file)
        .filter((to) => !/^(server|contract)\//.test(to))
        .map((to) => `${file} → ${to}`),
    );
    expect(outside).toEqual([]);
  });

  test('moves and errors are plain data without a schema library', () => {
    expect(text('contract/moves.ts')).not.toMatch(/^import/m);
    expect(text('contract/errors.ts')).not.toMatch(/^import/m);
  });

  test('every folder of server/ has its place in the order', () => {
    expect([...new Set(server.map(domain).filter((name) => name !== undefined))].toSorted()).toEqual(order.toSorted());
  });

  test('a folder imports only from those before it', () => {
    const upward = server.flatMap((file) => {
      const from = domain(file);
      if (from === undefined) return [];
      return imports(file)
        .filter((to) => to.startsWith('server/') && to !== 'server/tables.ts')
        .filter(
          (to) => order.indexOf(domain(to) ?? 'none') === -1 || order.indexOf(domain(to) ?? '') > order.indexOf(from),
        )
        .map((to) => `${file} → ${to}`);
    });
    expect(upward).toEqual([]);
  });

  test('the root of server/ holds four files', () => {
    expect(readdirSync(join(root, 'server')).filter((name) => name.endsWith('.ts'))).toEqual([
      'app.ts',
      'main.ts',
      'scheduled-tasks.ts',
      'tables.ts',
    ]);
  });

  test('lib holds what has no product words, named one by one so that it is no drawer', () => {
    expect(server.filter((file) => domain(file) === 'lib').toSorted()).toEqual([
      'server/lib/byte-pattern.ts',
      'server/lib/deadlines.ts',
      'server/lib/disk-space.ts',
      'server/lib/encryption.ts',
      'server/lib/html.ts',
      'server/lib/id.ts',
      'server/lib/language.ts',
      'server/lib/log.ts',
      'server/lib/loopback.ts',
      'server/lib/loops.ts',
      'server/lib/make-folder.ts',
      'server/lib/marks.ts',
      'server/lib/metrics.ts',
      'server/lib/moment.ts',
      'server/lib/open-telemetry.ts',
      'server/lib/places.ts',
      'server/lib/read-yaml.ts',
      'server/lib/sentences.ts',
      'server/lib/signer.ts',
      'server/lib/source-places.ts',
      'server/lib/thread.ts',
      'server/lib/trace.ts',
      'server/lib/version.ts',
      'server/lib/words.ts',
    ]);
  });

  test('the root of contract/ holds the grammar, and each of its folders a domain', () => {
    const entries = readdirSync(join(root, 'contract'), { withFileTypes: true });
    const names = (folders: boolean) =>
      entries.filter((entry) => entry.isDirectory() === folders).map(({ name }) => name);
    expect(names(false).toSorted()).toEqual([
      'README.md',
      'deprecation.ts',
      'door-words.ts',
      'endpoint.ts',
      'errors.ts',
      'moves.ts',
      'openapi.ts',
      'pages.ts',
      'rates.ts',
      'shapes.ts',
      'typed.ts',
      'unknown-query.ts',
    ]);
    expect(names(true).toSorted()).toEqual([
      'desk',
      'developer',
      'document',
      'files',
      'jobs',
      'ordering',
      'people',
      'plans',
      'released',
      'review',
      'studio',
    ]);
  });

  test('client imports nothing of ours', () => {
    expect(client.flatMap(imports).filter((file) => !file.startsWith('client/'))).toEqual([]);
  });

  test('there is no import cycle, types included', () => {
    expect(cycles([...server, ...contract])).toEqual([]);
    expect(cycles(client)).toEqual([]);
  });
});

describe('command lines', () => {
  test('only their main files read the process: the commands use what they are given', () => {
    const files = [...filesOf('cli'), ...filesOf('client/cli')];
    const reading = files.filter((file) => /\bprocess\.(?!platform\b)\w/.test(text(file)));
    expect(reading).toEqual(['cli/admin.ts', 'client/cli/main.ts']);
  });
});

describe('tables', () => {
  const writes = (file: string, table: string) =>
    new RegExp(
      `(insertInto|updateTable|deleteFrom|mergeInto|sql\\.table)\\('${table}[' ]|(insert into|update|delete from) ${table}\\b`,
    ).test(text(file));

  test.each(Object.entries(writers))('%s is written only by %s', (table, allowed) => {
    const found = server.filter((file) => writes(file, table)).map((file) => file.replace(/^server\/|\.ts$/g, ''));
    expect(found.toSorted()).toEqual(allowed.toSorted());
  });

  test('entitlements change only where an event of the provider is received or re-evaluated', () => {
    const users = server.filter((file) => imports(file).includes('server/billing/apply-event.ts'));
    const callers = users.filter((file) => /import \{[^}]*\bjudgeAndApply\b/.test(text(file)));
    expect(callers).toEqual(['server/billing/receive-webhook.ts', 'server/billing/review-event.ts']);
    const receivers = server.filter((file) => imports(file).includes('server/billing/receive-webhook.ts'));
    expect(receivers).toEqual(['server/billing/webhook-route.ts']);
    const rewriters = server.filter((file) => imports(file).includes('server/billing/rewrite-subscription.ts'));
    expect(rewriters).toEqual(['server/billing/apply-event.ts', 'server/billing/catch-up-subscriptions.ts']);
  });

  const serverPath = (file: string) => file.replace(/^server\/|\.ts$/g, '');

  test('only appendEvents and the statement of admission insert events', () => {
    const inserting = server.filter((file) => /insertInto\('events'|insert into events\b/.test(text(file)));
    expect(inserting.map(serverPath).toSorted()).toEqual(['events/append-events', 'jobs/admission-statement']);
  });

  test('only applyMove changes the status of a job: every other update of jobs leaves it out', () => {
    const setsStatus = /updateTable\('jobs'\)[^;]*\bstatus:|update jobs\b((?!\bwhere\b)[^`])*\bstatus =/g;
    const updates = server.flatMap((file) =>
      [...text(file).matchAll(setsStatus)].map(({ index }) => {
        const [, functionName] = /.*function (\w+)/s.exec(text(file).slice(0, index)) ?? [];
        return `${serverPath(file)} in ${functionName}`;
      }),
    );
    expect(updates).toEqual(['jobs/move in applyMove']);
    expect(text('server/jobs/job.ts')).toContain("Omit<UpdateObject<DB, 'jobs'>, 'status' | 'last_seq'>");
  });

  test('every table has its writers named', () => {
    const tables = [
      ...text('server/tables.ts')
        .split('export interface DB {')[1]!
        .matchAll(/^ {2}"?([\w.]+)"?:/gm),
    ].map((found) => found[1]);
    expect(tables.toSorted()).toEqual(Object.keys(writers).toSorted());
  });
});

test('every transaction is begun by transact, which announces what it changed', () => {
  const begun = server.filter((file) => file !== 'server/db/pool.ts' && /\.transaction\(\)/.test(text(file)));
  expect(begun).toEqual([]);
});

describe('time', () => {
  test('the clock of a process is asked only where no verdict of ours hangs on it', () => {
    const asking = server.filter((file) => /Date\.now\(\)|new Date\(\)/.test(text(file)));
    expect(asking.toSorted()).toEqual([
      'server/backup/daily-backups.ts', // beside the times that the disk sets
      'server/billing/receive-webhook.ts', // signatures are judged before anything else is asked
      'server/billing/sandbox.ts', // the provider's clock
      'server/billing/stripe.ts', // the hour, to ask again what failed
      'server/connect/app-request.ts', // beside the clock by which the library ends requests
      'server/connect/library.ts', // beside the clock by which the library ends codes
      'server/connect/metadata-documents.ts', // when a document is read again
      'server/doctor/check-public-url.ts', // whether the certificate of the proxy has expired
      'server/doctor/check-server.ts', // compares it with that of the database
      'server/files/films/film-process.ts', // beside the times that the disk sets
      'server/files/local-objects.ts', // beside the times that the disk sets
      'server/files/poster-url.ts', // signs with an hour to spare; the database judges
      'server/http/refusal.ts', // retry_at: the seconds to wait, told once more
      'server/intake/find-wish.ts', // the year of a day without one; the database judges the wish
      'server/lib/id.ts', // the order of ids, in which nothing trusts
      'server/mail/mailbox.ts', // when a mail of a trial was kept
      'server/reference/well-known.ts', // a day for readers to look again
    ]);
  });
});

describe('sizes', () => {
  /** Lines of what people write, without tests. A feature may bring its lines: its note says what it added and took away. */
  const written = (folders: string[], ending = /\.(?:tsx?|js|css|yaml|sql)$/) =>
    folders
      .flatMap((folder) => filesOf(folder, ending))
      .filter((file) => !/\.test\.|\/(?:e2e|dist|generated)\/|server\/tables\.ts$/.test(file))
      .reduce((sum, file) => sum + lines(file), 0);

  test('production has at most 122,000 lines', () => {
    const all = written(['server', 'web', 'contract', 'client', 'cli', 'scripts', 'deploy']);
    expect(all).toBeGreaterThan(80_000);
    expect(all).toBeLessThanOrEqual(122_000);
  });

  test('web has at most 46,850 lines, 3,300 of them in style sheets', () => {
    expect(written(['web'])).toBeLessThanOrEqual(46_850);
    expect(written(['web'], /\.css$/)).toBeLessThanOrEqual(3_300);
  });

  test('at most 60 files of web have under 20 lines, those of reads aside', () => {
    const short = web.filter((file) => lines(file) < 20 && !file.endsWith('reads.ts'));
    expect(short.length).toBeLessThanOrEqual(60);
  });

  test('npm ci brings at most 460 packages to Linux on x64', () => {
    type Locked = { os?: string | string[]; cpu?: string | string[]; libc?: string | string[] };
    const { packages } = JSON.parse(text('package-lock.json')) as { packages: Record<string, Locked> };
    const fits = (names: string | string[] = [], name: string) => {
      const all = [names].flat();
      const only = all.filter((each) => !each.startsWith('!'));
      return !all.includes(`!${name}`) && (only.length === 0 || only.includes(name));
    };
    const brought = Object.entries(packages).filter(
      ([path, { os, cpu, libc }]) => path !== '' && fits(os, 'linux') && fits(cpu, 'x64') && fits(libc, 'glibc'),
    );
    // What only proofs need goes into `proof/`.
    expect(brought.length).toBeGreaterThan(100);
    expect(brought.length).toBeLessThanOrEqual(460);
  });

  const sized = server.filter((file) => file !== 'server/tables.ts');

  test('the median server file has at most 45 lines, none over 250', () => {
    const sizes = sized.map(lines).toSorted((a, b) => a - b);
    expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(45);
    expect(sized.filter((file) => lines(file) > 250)).toEqual([]);
  });

  test('no function has over 70 lines, its SQL aside', () => {
    expect(sized.flatMap((file) => longFunctions(file, 70))).toEqual([]);
  });

  test('there are no drawers: utils, helpers, services, managers, common, index', () => {
    expect(
      server.filter((file) => /(utils?|helpers?|services?|managers?|common|misc|index)(\/|\.ts)/.test(file)),
    ).toEqual([]);
  });
});

describe('words', () => {
  const written = [
    ...server,
    ...contract,
    ...web,
    ...['cli', 'bench', 'scripts', 'client', 'proof', 'test/mutants', 'test/support'].flatMap((folder) =>
      filesOf(folder),
    ),
  ].filter(
    (file) =>
      file !== 'server/tables.ts' &&
      !/^(?:client\/(?:generated|dist)|proof\/conformance)\//.test(file) &&
      !isTest(file),
  );
  const isComment = (line: string) => /^\s*(?:\/\/|\/?\*)/.test(line);

  test('a line of comment has at most 110 characters', () => {
    const long = written.flatMap((file) =>
      text(file)
        .split('\n')
        .filter((line) => isComment(line) && line.length > 110)
        .map((line) => `${file}: ${line}`),
    );
    expect(long).toEqual([]);
  });

  const vague = /^(?:told|given|found|asked|wanted|kept|held|taken|known|one)$/i;

  /** What a node declares: variables, parameters, parts of a pattern, functions, classes and types. */
  const declaredBy = ({
    type,
    id,
    param,
    params,
    properties,
    elements,
    argument,
    left,
    parameter,
  }: Syntax): unknown[] => {
    if (type === 'ObjectPattern') return [properties].flat().map((each) => isSyntax(each) && each.value);
    const ofAll = [param, params, elements, argument, left, parameter].flat();
    if (/Pattern$|^(?:CatchClause|RestElement|TSParameterProperty)$/.test(type)) return ofAll;
    if (/^(?:VariableDeclarator|.*Declaration|TSDeclareFunction)$/.test(type)) return [id, params].flat();
    return /Function|Signature|ConstructorType/.test(type) ? [params].flat() : [];
  };
  const vagueNames = (file: string): string[] =>
    nodesOf(file)
      .flatMap((node) => declaredBy(node))
      .flatMap((name) => (isSyntax(name) && vague.test(String(name.name)) ? [`${file}: ${String(name.name)}`] : []));

  test('a name says what it holds, not its part of speech', () => {
    expect(written.flatMap(vagueNames)).toEqual([]);
  });
});

describe('web', () => {
  const rooms: Record<string, string[]> = {
    ui: ['ui'],
    app: ['ui', 'app'],
    customer: ['ui', 'app', 'customer'],
    desk: ['ui', 'app', 'desk'],
    mcp: ['ui', 'mcp'],
    build: ['build'],
  };
  const roomOf = (file: string) => /^web\/([^/]+)\//.exec(file)?.[1] ?? 'none';
  const arrows = (files: string[], wrong: (to: string, from: string) => boolean) =>
    files.flatMap((from) =>
      imports(from)
        .filter((to) => wrong(to, from))
        .map((to) => `${from} → ${to}`),
    );

  test('the root of web/ holds two pages and a configuration', () => {
    const entries = readdirSync(join(root, 'web'), { withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([
      'customer.html',
      'desk.html',
      'tsconfig.json',
    ]);
  });

  test('ui comes before app, app before customer and desk, and these two never meet', () => {
    const wrong = arrows(web, (to, from) => to.startsWith('web/') && !(rooms[roomOf(from)] ?? []).includes(roomOf(to)));
    expect(wrong).toEqual([]);
  });

  test('web imports only itself, the contract and the client; what starts the service in development aside', () => {
    const files = web.filter((file) => file !== 'web/build/dev.ts');
    expect(arrows(files, (to) => !/^(web|contract|client)\//.test(to))).toEqual([]);
  });

  test('ui knows the errors and types of the client and calls nothing', () => {
    const files = web.filter((file) => roomOf(file) === 'ui');
    const calls = arrows(files, (to) => /^client\/(?!error\.ts$|generated\/types\.gen\.ts$)/.test(to));
    expect(calls).toEqual([]);
  });

  test('there is no import cycle, types included', () => {
    expect(cycles(web)).toEqual([]);
  });

  test('no file has over 250 lines, no function or component over 80', () => {
    expect(web.filter((file) => lines(file) > 250)).toEqual([]);
    expect(web.flatMap((file) => longFunctions(file, 80))).toEqual([]);
  });

  test('no style sheet has over 250 lines, and each is imported', () => {
    const sheets = ['app', 'customer', 'desk', 'mcp', 'ui'].flatMap((folder) => filesOf(`web/${folder}`, /\.css$/));
    expect(sheets.filter((file) => lines(file) > 250)).toEqual([]);
    const imported = web.flatMap((file) =>
      [...text(file).matchAll(/^import '(\.[^']+\.css)'/gm)].map(([, to = '']) => join(dirname(file), to)),
    );
    expect(sheets.toSorted()).toEqual([...new Set(imported)].toSorted());
  });

  test('what is fetched later is a part, never an inline lazy', () => {
    expect(web.filter((file) => file !== 'web/ui/page/part.tsx' && /\blazy\(/.test(text(file)))).toEqual([]);
  });
});

describe('operations', () => {
  const verbOf = (operationId: string) => server.find((file) => file.endsWith(`/${kebab(operationId)}.ts`));

  test.each(endpoints)('$operationId has its verb file and a test of its statuses', (endpoint) => {
    const verb = verbOf(endpoint.operationId);
    expect(verb, `server/*/${kebab(endpoint.operationId)}.ts`).toBeDefined();
    const titles = text(verb!.replace('.ts', '.test.ts'));
    const promised = [
      ...Object.keys(endpoint.answers),
      ...Object.entries(endpoint.errors).flatMap(([status, codes]) => codes!.map((code) => `${status} ${code}`)),
    ];
    // What a sweep proves of every endpoint needs no test of its own.
    const missing = promised.filter((promise) => !new RegExp(`['\`"]${promise}\\b`).test(titles));
    expect(missing.filter((promise) => !sweptOf(endpoint).includes(promise))).toEqual([]);
  });

  test('the sweep of bad input asks what its lists say', () => {
    const sweep = text('test/sweeps/bad-input.test.ts');
    const used = (name: string) => ['endpoints', 'promise('].every((part) => sweep.includes(`swept.${name}.${part}`));
    expect(Object.keys(swept).filter((name) => !used(name))).toEqual([]);
  });

  test('operation ids are unique', () => {
    const ids = endpoints.map((endpoint) => endpoint.operationId);
    expect(ids.length).toBe(new Set(ids).size);
  });
});

describe('citations', () => {
  const texts = [...server, ...contract, ...filesOf('test'), ...filesOf('cli'), 'README.md', 'ARCHITECTURE.md'].filter(
    (file) => file !== 'test/architecture.test.ts',
  );

  test('nothing cites a book that is not in the repository', () => {
    const citing = texts.filter((file) =>
      /\b(decisions|architecture|reliability)\.md\b|[Ss]pecification part/.test(text(file)),
    );
    expect(citing).toEqual([]);
  });

  test('every decision that is cited is there', () => {
    const decisions = readdirSync(join(root, 'docs/decisions'));
    const cited = texts.flatMap((file) =>
      [...text(file).matchAll(/docs\/decisions\/(\d{4}[\w.-]*)/g)].map((at) => at[1]),
    );
    expect(cited.filter((name) => !decisions.some((file) => file.startsWith(name ?? '')))).toEqual([]);
    const numbers = decisions.map((file) => Number(file.slice(0, 4))).toSorted((a, b) => a - b);
    expect(numbers, 'a number of its own for each').toEqual([...new Set(numbers)]);
  });
});

test('every file that the security documents cite is there', () => {
  const cited = ['SECURITY.md', 'docs/asvs.md'].flatMap((book) =>
    [...text(book).matchAll(/`((?:server|test|contract|docs|web)\/[\w./-]+)`/g)].map((at) => at[1] ?? ''),
  );
  expect(cited.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every test that the security documents name is there, by its title', () => {
  const named = ['SECURITY.md', 'docs/asvs.md'].flatMap((book) =>
    [...text(book).matchAll(/`([\w./-]+\.test\.ts)` \(((?:"[^"]+"(?:, )?)+)\)/g)].flatMap(
      ([, file = '', titles = '']) => [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
    ),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ file, title }) => !text(file).includes(title))).toEqual([]);
});

test('the guide names every route of people in their chapter', () => {
  const chapter = text('docs/guide/12-people-and-accounts.md');
  const routes = endpoints.filter(({ tag }) => tag === 'People').map(({ method, path }) => `\`${method} ${path}\``);
  expect(routes.length).toBeGreaterThan(30);
  expect(routes.filter((route) => !chapter.includes(route))).toEqual([]);
});
