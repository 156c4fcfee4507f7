import type { Command } from 'commander';
import { readConfig } from '../server/start/config.ts';
import { migrate } from '../server/db/migrate.ts';
import { print, show } from './output.ts';
import { type Shared, withDatabase } from './connection.ts';

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('apply pending migrations, as the service does at the start')
    .action(async (_, command: Command) => migrateDatabase(command.optsWithGlobals()));
}

async function migrateDatabase({ json }: Shared): Promise<void> {
  const done = await withDatabase(readConfig(process.env), migrate);
  if (done.length === 0) print('Nothing to migrate.');
  show(json, { migrated: done }, done);
}
