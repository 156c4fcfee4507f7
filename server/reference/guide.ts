import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Audience, audiences } from '../../contract/document/audiences.ts';
import { errors } from '../../contract/errors.ts';
import {
  accountBounds,
  downloadUrlSeconds,
  retentionDays,
  trialBounds,
  uploadUrlSeconds,
} from '../../contract/files/file.ts';
import { fileTypes, maxFileBytes } from '../../contract/files/file-types.ts';
import { endpoints } from '../../contract/openapi.ts';
import { fieldOf, optionalNames, sayFields } from '../../contract/jobs/optional-fields.ts';
import { type CountedBy, type Limit, type RateName, rates } from '../../contract/rates.ts';
import { root } from '../lib/places.ts';

const folder = join(root, 'docs/guide');
const changelog = join(root, 'CHANGELOG.md');

const errorSections = (): string =>
  Object.entries(errors)
    .map(
      ([code, { status, meaning, why, action }]) =>
        `## ${code}\n\n**${status}${code === 'invalid_request' ? ' or 400' : ''}.** ${meaning}\n\n*Why:* ${why}\n\n*What to do:* ${action}`,
    )
    .join('\n\n');

const counted: Record<RateName, string> = {
  request: 'Requests of any kind but preflight',
  create_job: '`POST /api/v1/jobs`',
  open_intake: 'Opening an intake session',
  add_message: 'An intake message',
  change_draft: 'Setting a field of an intake session, or changing it',
  update_job: `Changing the ${sayFields(optionalNames)} of a job`,
  write_comment: 'Writing or changing a comment on a delivery, and replying',
  ask_to_look: 'Asking a colleague to look at a delivery',
  send_message: 'A message to the studio',
  read_public: '`GET` of `/api/v1/catalog`, `/api/v1/installation` and `/api/v1/openapi.json`',
  list_plans: '`GET /api/v1/plans`',
  check_intent: '`POST /api/v1/catalog/intent-check`',
  sign_in: 'Signing in',
  sign_up: 'Signing up',
  send_mail: 'What sends a mail',
  guess_password: 'Signing in to a person from networks that are new to them',
  receive_mail: 'Mails that anybody can have sent to an address; beyond it no mail goes',
  prove_identity: 'Proving yourself with the password in a session',
  use_mail_token: 'What takes the token of a mail',
  read_calendar: 'Reading the feed of a calendar',
  use_upload_page: 'Anything with the token of an upload page',
  start_checkout: 'Opening a checkout or the portal of the payment provider',
  invite_member: 'Inviting someone',
  test_webhook: 'Testing a webhook endpoint',
  create_review_link: 'Creating a review link',
  write_guest_comment: 'Writing or deleting a comment or reply with a review link',
  open_review: 'Anything else with a review link',
  authorize_app: 'Requests of apps for access',
  connect_app: 'Letting an app in, or denying it',
  enter_device_code: 'Entering the code of a program without a browser',
  app_token: 'Tokens of connected apps, and their ends',
  register_app: 'Apps that register themselves, where the installation allows it',
  create_api_key: 'Creating an API key',
  read_events: '`GET /api/v1/events`, with `wait` or without',
  open_stream: 'Opening `GET /api/v1/events/stream`',
  mcp_call: 'A tool call or a read of a resource over MCP',
  bad_credential: 'Credentials that do not hold',
};
const parties: Record<CountedBy, string> = {
  account: 'by account',
  key: 'by API key',
  address: 'by address',
  email: 'by address and e-mail',
  person: 'by person',
  recipient: 'by recipient',
  link: 'by review link',
  credential: 'by credential',
};

function rateTable(): string {
  const rows = (Object.keys(rates) as RateName[]).map((name) => {
    const limits = Object.entries(rates[name]) as [CountedBy, Limit][];
    const shown = limits.map(([by, { limit, windowSeconds }]) => `${limit} per ${windowSeconds} s ${parties[by]}`);
    const setting = limits.map(([by, { limit, windowSeconds }]) => `${by}=${limit}/${windowSeconds}`);
    return `| ${counted[name]} | ${shown.join('; ')} | \`RATE_${name.toUpperCase()}=${setting.join(',')}\` |`;
  });
  return ['| what | limit | setting |', '|---|---|---|', ...rows].join('\n');
}

function fileTable(): string {
  const { pendingUploads, storedBytes } = accountBounds;
  const { minimum, maximum, default: usual } = retentionDays;
  return [
    '| bound | |',
    '|---|---|',
    `| size of a file | 1 byte to ${maxFileBytes / 1024 ** 2} MiB |`,
    `| types | ${Object.keys(fileTypes).join(', ')}; others that \`GET /api/v1/installation\` names in \`file_types\` |`,
    `| an upload URL works for | ${uploadUrlSeconds / 60} minutes |`,
    `| a download URL works for | ${downloadUrlSeconds / 60} minutes |`,
    `| \`retention_days\` | ${minimum} to ${maximum}, default ${usual} |`,
    `| uploads of an account that wait for their bytes | ${pendingUploads}; an installation sets it by \`MAX_PENDING_UPLOADS\` |`,
    `| the accounts of a person without an active plan | ${trialBounds.files} uploads, of ${trialBounds.bytes / 1024 ** 2} MiB together |`,
    `| bytes of an account, those still to come included | ${storedBytes / 1024 ** 3} GiB; an installation sets it by \`MAX_STORED_BYTES\` |`,
  ].join('\n');
}

const toolTable = (): string =>
  endpoints
    .flatMap(({ tool, operationId, summary }) => (tool ? [`| \`${tool.name}\` | ${operationId} | ${summary} |`] : []))
    .join('\n');

const optionalFieldTable = (): string =>
  optionalNames
    .map((name) => {
      const field = fieldOf(name);
      const values = field.kind === 'choice' ? field.choices.map((choice) => `\`${choice}\``).join(' or ') : field.kind;
      return `| \`${name}\` | ${values} | ${field.description} | \`--${name.replaceAll('_', '-')}\` |`;
    })
    .join('\n');

/** Chapters that only some read. Everybody reads the others. */
export const readersOf: Record<string, readonly Audience[]> = {
  'getting-started': ['customer'],
  'the-provider-s-webhook': ['operator'],
  'the-desk': ['worker', 'operator'],
  intake: ['customer'],
  files: ['customer', 'worker'],
  agents: ['customer'],
  events: ['customer'],
  'people-and-accounts': ['operator'],
  webhooks: ['customer'],
  'api-changelog': ['operator'],
  'messages-and-questions': ['customer', 'worker'],
  review: ['customer', 'worker'],
  'review-links': ['customer'],
  connect: ['customer'],
  'what-is-read-of-the-payment-provider': ['operator'],
  changelog: ['operator'],
};

export type Chapter = { title: string; slug: string; text: string; readers: readonly Audience[] };

/** The changelog comes last. Fills in the placeholders. */
export function readGuide(serverUrl: string): Chapter[] {
  const texts = readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  return [...texts, readFileSync(changelog, 'utf8')].map((chapter) => {
    const text = chapter
      .replace('{{errors}}', errorSections)
      .replace('{{rates}}', rateTable)
      .replace('{{files}}', fileTable)
      .replace('{{tools}}', toolTable)
      .replace('{{optional_fields}}', optionalFieldTable)
      .replaceAll('{{url}}', serverUrl)
      .trim();
    const title = /^# (.+)/.exec(text)?.[1] ?? '';
    const slug = title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
    return { title, slug, text, readers: readersOf[slug] ?? audiences };
  });
}
