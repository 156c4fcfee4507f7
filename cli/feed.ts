import type { Command } from 'commander';
import { readConfig } from '../server/start/config.ts';
import { restartFeed } from '../server/events/restart-feed.ts';
import { haltSweeps } from '../server/files/installation.ts';
import { withDatabase } from './connection.ts';
import { type Shared, show } from './output.ts';

export function feedCommands(program: Command): void {
  program
    .command('feed')
    .description('the logs of the accounts')
    .command('restart')
    .description('after restoring a backup, best before the service starts: renumber all logs and notify their readers')
    .action(async (_, command: Command) => restart(command.optsWithGlobals()));
}

async function restart(options: Shared): Promise<void> {
  const { io } = options;
  const accounts = await withDatabase(io, readConfig(io.env), async (db) => {
    await haltSweeps(db);
    return restartFeed(db);
  });
  show(options, { feed: { accounts } }, [
    `The logs of ${accounts} accounts continue with new numbers.`,
    'Files without a row are kept for 14 days.',
  ]);
}
