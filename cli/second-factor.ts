import type { Command } from 'commander';
import { cleanEmail } from '../contract/typed.ts';
import { takeSecondFactor } from '../server/sign-in/take-second-factor.ts';
import { readConfig } from '../server/start/config.ts';
import { createLog } from '../server/lib/log.ts';
import { withDatabase } from './connection.ts';
import { type Shared, show } from './output.ts';

export function secondFactorCommands(program: Command): void {
  program
    .command('second-factor')
    .description('second factors of people')
    .command('remove')
    .description('remove the second factor of somebody who lost phone and recovery codes, and send them a mail')
    .requiredOption('--email <address>', 'their e-mail address', cleanEmail)
    .action(async (_, command: Command) => removeSecondFactor(command.optsWithGlobals()));
}

async function removeSecondFactor(options: Shared & { email: string }): Promise<void> {
  const { io, email } = options;
  const config = readConfig(io.env);
  const log = createLog(config.logLevel, io.stderr);
  await withDatabase(io, config, (db) => takeSecondFactor({ db, log }, email));
  show(options, { second_factor: { email, removed: true } }, [`${email} signs in with only the password.`]);
}
