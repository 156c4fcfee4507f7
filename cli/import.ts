import { resolve } from 'node:path';
import type { Command } from 'commander';
import { createRemoveFilesOf } from '../server/files/remove-files-of.ts';
import { eraseCustomer } from '../server/imports/erase-customer.ts';
import { type CustomerOutcome, importFolder, type ImportOutcome } from '../server/imports/import-folder.ts';
import type { Problem } from '../server/imports/table.ts';
import { readNewestCatalog } from '../server/publishing/served-catalog.ts';
import { readConfig } from '../server/start/config.ts';
import { Ended, Failure, print, type Shared, show } from './output.ts';
import { withStorage } from './storage.ts';

export function importCommand(program: Command): void {
  const command = program
    .command('import')
    .description('bring customers, people and past jobs from a folder of CSV and files; exits 1 if there are problems')
    .argument('<folder>', 'has customers.csv, people.csv, jobs.csv and files/: see docs/operations/studio.md')
    .option('--dry-run', 'say what would happen, and every problem, and change nothing')
    .action(async (folder: string, _, command: Command) => run(resolve(folder), command.optsWithGlobals()));
  command
    .command('erase')
    .description('erase an imported customer whom nobody has joined: names, addresses, texts and files')
    .argument('<external_id>', 'of customers.csv')
    .action(async (externalId: string, _, command: Command) => erase(externalId, command.optsWithGlobals()));
}

async function erase(externalId: string, options: Shared): Promise<void> {
  const { io } = options;
  const config = readConfig(io.env);
  const graceHours = config.periodGraceHours;
  const id = await withStorage(io, config, ({ db, storage }) =>
    eraseCustomer(
      {
        db,
        removeFilesOf: createRemoveFilesOf(db, storage, {
          warn: () => print(io, 'Some files could not be removed. The service removes them later.'),
        }),
        graceHours,
      },
      externalId,
    ),
  );
  show(options, { erased: { account_id: id } }, [`Erased ${id}. No import brings the customer back.`]);
}

async function run(folder: string, options: Shared & { dryRun?: true }): Promise<void> {
  const { io, dryRun = false } = options;
  const config = readConfig(io.env);
  const outcome = await withStorage(
    io,
    config,
    async ({ db, storage }) => {
      const catalog = await readNewestCatalog(db);
      if (!catalog)
        throw new Failure('No catalog was published yet.', 'Start the service once, or run: catalog publish');
      return importFolder({ db, storage, catalog, config }, folder, { dryRun });
    },
    { patient: true },
  );
  show(options, { import: { dry_run: dryRun, ...outcome } }, sayOutcome(outcome, dryRun));
  if (outcome.problems.length > 0) throw new Ended(1);
}

function sayOutcome({ customers, problems }: ImportOutcome, dryRun: boolean): string[] {
  const changed = customers.filter(({ state }) => state === 'new' || state === 'changed');
  const leftOut = customers.filter(({ state }) => state === 'left out');
  const unchanged = customers.length - changed.length - leftOut.length;
  const last = [
    `${dryRun ? 'Would import' : 'Imported'} ${countOf(changed.length, 'customer')}`,
    `${unchanged} unchanged`,
    `${leftOut.length} left out`,
    countOf(problems.length, 'problem'),
  ];
  return [...problems.map(sayProblem), ...customers.map(sayCustomer), `${last.join(', ')}.`];
}

const countOf = (count: number, word: string) => `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;

const sayProblem = ({ file, line, column, message }: Problem) =>
  `${file}:${line} ${column === null ? '' : `${column} `}${message}.`;

const words = { new: '+', changed: '~', unchanged: '=', 'left out': '!' } as const;

function sayCustomer({ external_id, name, state, people, changed_people, jobs, files }: CustomerOutcome): string {
  const parts = [
    countOf(people, 'new person').replace('persons', 'people'),
    ...(changed_people > 0 ? [`${changed_people} changed`] : []),
    countOf(jobs, 'new job'),
    countOf(files, 'file'),
  ];
  return `${words[state]} ${external_id} ${name}: ${state}${state === 'unchanged' ? '' : `, ${parts.join(', ')}`}`;
}
