import type { Command } from 'commander';
import { readConfig } from '../server/start/config.ts';
import { countStoredSecrets } from '../server/start/stored-secrets.ts';
import { withDatabase } from './connection.ts';
import { type Shared, show } from './output.ts';

export function secretsCommands(program: Command): void {
  program
    .command('secrets')
    .description('what SECRET_KEY encrypts')
    .command('status')
    .description('count the rows that each key of SECRET_KEY has encrypted; a key without rows can be removed')
    .action(async (_, command: Command) => status(command.optsWithGlobals()));
}

async function status(options: Shared): Promise<void> {
  const { io } = options;
  const config = readConfig(io.env);
  const secrets = await withDatabase(io, config, (db) => countStoredSecrets(db, config.secretKeys));
  show(
    options,
    { secrets },
    secrets.map(
      ({ what, first, second, unknown }) =>
        `${what}s: ${first} under the first key, ${second} under the second, ${unknown} under an unknown key`,
    ),
  );
}
