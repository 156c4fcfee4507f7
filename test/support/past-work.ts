import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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

/** Bytes that begin as their kind does. */
const pdf = Buffer.from(`%PDF-1.7${'.'.repeat(2_000)}`);
const zip = Buffer.from(`PK\u0003\u0004${'.'.repeat(2_000)}`);

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
        .map((name) => [name, name.endsWith('.pdf') ? pdf : zip] as const),
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
