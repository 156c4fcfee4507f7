import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newId, showId } from '../../server/lib/id.ts';
import { importFolder, type ImportOutcome } from '../../server/imports/import-folder.ts';
import { bytesFor } from './files.ts';
import type { Service } from './harness.ts';
import { post, type Studio } from './jobs.ts';
import { goodPassword, mailedToken } from './people.ts';

type Cells = Record<string, string>;
export type Tables = { customers: Cells[]; people: Cells[]; jobs: Cells[]; files: Record<string, Uint8Array> };

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** As spreadsheets save it: with a byte order mark, CRLF, and quotes where a cell needs them. */
function csvOf(rows: readonly Cells[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))];
  return `\uFEFF${lines.map((cells) => cells.map(quoted).join(',')).join('\r\n')}\r\n`;
}

export function writeFolder(folder: string, { customers, people, jobs, files }: Tables): void {
  for (const [name, rows] of Object.entries({ customers, people, jobs })) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.csv`), csvOf(rows));
  }
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'files', name)), { recursive: true });
    writeFileSync(join(folder, 'files', name), bytes);
  }
}

export const importInto = (
  { context: { db, storage, catalog, config } }: Service,
  folder: string,
  dryRun = false,
): Promise<ImportOutcome> => importFolder({ db, storage, catalog, config }, folder, { dryRun });

let made = 0;

/** Three customers, five people and forty past jobs with files, under ids of their own. */
export function pastWork(): Tables {
  const run = `i${(made += 1)}`;
  const [bakery, harbour, kiln] = ['bakery', 'harbour', 'kiln'].map((name) => `${run}-${name}`) as [
    string,
    string,
    string,
  ];
  const person = (customer: string, name: string, role: string) => ({
    external_id: `${customer}-${name}`,
    customer,
    name: name === 'tom' ? 'Tom Reyes' : `${name} of ${customer}`,
    email: `${name}.${customer}@Customer.example`,
    role,
  });
  const endings = ['completed', 'completed', 'canceled', 'rejected'];
  const jobs = Array.from({ length: 40 }, (_, n) => {
    const customer = [bakery, bakery, harbour, kiln][n % 4] ?? bakery;
    const status = endings[Math.floor(n / 4) % 4] ?? 'completed';
    return {
      external_id: `${run}-${n}`,
      customer,
      person: customer === bakery && n % 8 === 0 ? `${bakery}-tom` : '',
      service_family: 'design',
      service_type: 'logo',
      title: `Past logo ${run} ${n}, "round"`,
      instructions: n % 2 === 0 ? `Line one,\nand "two" of ${n}.` : '',
      reference: `PO-${n}`,
      status,
      created_at: '2021-03-01',
      ended_at: n % 2 === 0 ? '2021-03-09' : '2021-03-09T16:00:00+02:00',
      message: status === 'completed' ? 'Here you are.' : '',
      reason: status === 'rejected' ? 'We do not print.' : '',
      files: status === 'completed' ? `${run}/${n}/final.pdf; ${run}/${n}/source.zip` : '',
    };
  });
  const files = Object.fromEntries(
    jobs.flatMap(({ files: names }) =>
      names
        .split('; ')
        .filter(Boolean)
        .map((name) => [name, bytesFor(name.endsWith('.pdf') ? 'application/pdf' : 'application/zip')] as const),
    ),
  );
  return {
    customers: [bakery, harbour, kiln].map((external_id) => ({ external_id, name: `Client ${external_id}` })),
    people: [
      person(bakery, 'ada', 'owner'),
      person(bakery, 'tom', ''),
      person(harbour, 'eve', 'owner'),
      person(harbour, 'lin', 'reviewer'),
      person(kiln, 'bo', 'owner'),
    ],
    jobs,
    files,
  };
}

/** Somebody who waits for an invitation to an account. Returns their id. */
export async function addImportedPerson({ context: { db } }: Service, accountId: string): Promise<string> {
  const id = newId();
  const address = `${id}@imported.invalid`;
  await db.insertInto('people').values({ id, name: 'Tom Reyes', email: address, email_verified: true }).execute();
  await db
    .insertInto('imported_people')
    .values({ account_id: accountId, person_id: id, email: `${id}@customer.example`, role: 'member' })
    .execute();
  return showId('user', id);
}

/** Invites all imported people of an account. One of them signs up by the mail. */
export async function joinImported({ service, operator }: Studio, accountId: string, address: string): Promise<string> {
  const path = `/api/operator/v1/accounts/${showId('acct', accountId)}/imported-people/invite`;
  await post(service, operator.token, path, {});
  const email = address.toLowerCase();
  const body = { name: 'Ada', email, password: goodPassword, invitation_token: mailedToken(service, email, 'You are') };
  return (await service.call('POST', '/api/auth/sign-up/email', { body })).body.token;
}
