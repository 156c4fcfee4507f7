import { readdirSync, readFileSync } from 'node:fs';
import { errors } from '../../contract/errors.ts';
import { type Limit, type RateName, rates } from '../../contract/rates.ts';

const folder = new URL('../../docs/guide/', import.meta.url);
const changelog = new URL('../../CHANGELOG.md', import.meta.url);

/** A section for each code: what, why, what to do. */
const errorSections = (): string =>
  Object.entries(errors)
    .map(
      ([code, { status, meaning, why, action }]) =>
        `## ${code}\n\n**${status}${code === 'invalid_request' ? ' or 400' : ''}.** ${meaning}\n\n*Why:* ${why}\n\n*What to do:* ${action}`,
    )
    .join('\n\n');

const counted: Record<RateName, string> = {
  create_job: '`POST /api/v1/jobs`',
  open_intake: 'Opening an intake session',
  add_message: 'An intake message',
  check_intent: '`POST /api/v1/catalog/intent-check`',
  sign_in: 'Signing in',
  sign_up: 'Signing up',
  send_mail: 'What sends a mail',
  bad_credential: 'Credentials that do not hold',
};

function rateTable(): string {
  const show = ([by, { limit, windowSeconds }]: [string, Limit]) => `${limit} per ${windowSeconds} s by ${by}`;
  const rows = (Object.keys(rates) as RateName[]).map(
    (name) => `| ${counted[name]} | ${Object.entries(rates[name]).map(show).join('; ')} |`,
  );
  return ['| what | limit |', '|---|---|', ...rows].join('\n');
}

export type Chapter = { title: string; slug: string; text: string };

/** The chapters of the reference in their order, the changelog last. What code already knows is filled in from it. */
export function readGuide(): Chapter[] {
  const texts = readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
  return [...texts, readFileSync(changelog, 'utf8')].map((given) => {
    const text = given.replace('{{errors}}', errorSections()).replace('{{rates}}', rateTable()).trim();
    const title = /^# (.+)/.exec(text)?.[1] ?? '';
    return { title, slug: title.toLowerCase().replaceAll(/[^a-z]+/g, '-'), text };
  });
}
