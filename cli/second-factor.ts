import type { Command } from 'commander';
import { join } from 'node:path';
import { takeSecondFactor } from '../server/accounts/take-second-factor.ts';
import { readConfig } from '../server/start/config.ts';
import { createLog } from '../server/lib/log.ts';
import { createMail, createMailbox } from '../server/lib/mail.ts';
import { addressOf, type Shared, withDatabase } from './connection.ts';
import { show } from './output.ts';

export function secondFactorCommands(program: Command): void {
  program
    .command('second-factor')
    .description('second factors of people')
    .command('remove')
    .description('take it away from somebody who lost phone and recovery codes, and tell them by mail')
    .requiredOption('--email <address>', 'their e-mail address')
    .action(async (_, command: Command) => removeSecondFactor(command.optsWithGlobals()));
}

async function removeSecondFactor({ email, json }: Shared & { email: string }): Promise<void> {
  const config = readConfig(process.env);
  const mail = createMail(config.smtpUrl, config.mailFrom, createMailbox(join(config.dataDir, 'mail')));
  const log = createLog(config.logLevel, process.stderr);
  const publicUrl = config.publicUrl ?? addressOf(config, {});
  await withDatabase(config, (db) => takeSecondFactor({ db, log, mail, publicUrl }, email));
  show(json, { second_factor: { email, removed: true } }, [`${email} signs in with the password alone.`]);
}
