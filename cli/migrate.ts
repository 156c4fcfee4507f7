import type { Command } from 'commander';
import { readConfig } from '../server/start/config.ts';
import { checkDatabase } from '../server/db/check-database.ts';
import { migrate } from '../server/db/migrate.ts';
import { print, type Shared, show } from './output.ts';
import { withDatabaseUrl } from './connection.ts';

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('apply pending migrations, as the service does at the start')
    .action(async (_, command: Command) => migrateDatabase(command.optsWithGlobals()));
}

async function migrateDatabase(options: Shared): Promise<void> {
  const { io } = options;
  const config = readConfig(io.env);
  const done = await withDatabaseUrl(io, config, async (url) => {
    await checkDatabase(url, { connections: 1, durable: config.production, poolerUrl: null });
    return migrate(url, (line) => print(io, line));
  });
  if (done.length === 0) print(io, 'Nothing to migrate.');
  show(options, { migrated: done }, done);
}
