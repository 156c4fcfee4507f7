import type { Command } from 'commander';
import { createAuth } from '../server/accounts/auth.ts';
import { ensureOperator } from '../server/accounts/ensure-operator.ts';
import { readConfig } from '../server/config.ts';
import { createLog } from '../server/lib/log.ts';
import { createMail } from '../server/lib/mail.ts';
import { readPassword } from './password.ts';
import { show } from './output.ts';
import { addressOf, type Shared, withDatabase } from './connection.ts';

export function operatorCommands(program: Command): void {
  program
    .command('operator')
    .description('people of the studio')
    .command('create')
    .description('make an operator; the password is asked for, or taken from OPERATOR_PASSWORD')
    .requiredOption('--email <address>', 'their e-mail address')
    .action(async (_, command: Command) => createOperator(command.optsWithGlobals()));
}

/** Somebody who has the address already gets the flag, and keeps a password of their own if they proved the address. */
async function createOperator({ email, json }: Shared & { email: string }): Promise<void> {
  const password = process.env.OPERATOR_PASSWORD || (await readPassword(`Password for ${email}: `));
  const config = readConfig({ ...process.env, OPERATOR_EMAIL: email, OPERATOR_PASSWORD: password });
  const { secretKeys } = config;
  const log = createLog('silent');
  const mail = createMail(config.smtpUrl, config.mailFrom, () => {});
  const holds = await withDatabase(config, (db) => {
    const auth = createAuth({ db, mail, publicUrl: addressOf(config, {}), secretKeys, log });
    return ensureOperator({ db, auth }, { email, password });
  });
  const kept = `${email} is an operator. They exist already: their password was left as it is.`;
  show(json, { operator: { email, password_holds: holds } }, [holds ? `${email} is an operator.` : kept]);
}
