import type { Command } from 'commander';
import { type Checked, checkDatabase } from '../server/check/check-database.ts';
import { checkObjects } from '../server/check/check-objects.ts';
import type { Contradiction } from '../server/check/contradiction.ts';
import { readConfig } from '../server/start/config.ts';
import { Ended, type Shared, show } from './output.ts';
import { type Dependencies, withStorage } from './storage.ts';

export function checkCommand(program: Command): void {
  program
    .command('check')
    .description('compare ledger, jobs, counters, events and files with each other; exits 1 if they contradict')
    .option('--files', 'also read the bytes of every file')
    .action(async (_, command: Command) => check(command.optsWithGlobals()));
}

async function check(options: Shared & { files?: true }): Promise<void> {
  const { io, files } = options;
  const checked = await withStorage(
    io,
    readConfig(io.env),
    (dependencies) => checkAll(dependencies, { contents: files === true }),
    { patient: true },
  );
  showChecked(options, checked);
}

export async function checkAll({ db, storage }: Dependencies, terms: { contents: boolean }): Promise<Checked> {
  const database = await checkDatabase(db);
  const { objects, contradictions } = await checkObjects({ db, storage }, terms);
  return {
    rows: { ...database.rows, 'stored files': objects },
    contradictions: [...database.contradictions, ...contradictions],
  };
}

/** Ends the command if there are contradictions. `more`: what it has to say, too. */
export function showChecked(
  options: Shared,
  { rows, contradictions }: Checked,
  more: { value: object; lines: string[] } = { value: {}, lines: [] },
): void {
  const total = contradictions.reduce((sum, { total }) => sum + total, 0);
  const counts = Object.entries(rows).map(([name, count]) => `${count.toLocaleString('en')} ${name}`);
  const result = `${total === 0 ? 'no' : total.toLocaleString('en')} contradiction${total > 1 ? 's' : ''}`;
  show(options, { ...more.value, check: { rows, contradictions } }, [
    ...more.lines,
    ...contradictions.flatMap(describe),
    `Checked ${counts.join(', ')}: ${result}.`,
  ]);
  if (contradictions.length > 0) throw new Ended(1);
}

function describe({ rule, meaning, total, examples }: Contradiction): string[] {
  const unlisted = total - examples.length;
  return [
    `Broken: ${rule}`,
    ...examples.map(({ account_id, subject, fault }) =>
      account_id === null || account_id === subject
        ? `  ${subject} ${fault}`
        : `  ${subject} of ${account_id} ${fault}`,
    ),
    ...(unlisted > 0 ? [`  and ${unlisted.toLocaleString('en')} more`] : []),
    `  ${meaning}`,
    '',
  ];
}
