import { type Command, Option } from 'commander';
import { Check } from 'typebox/value';
import { operatorRoles, type OperatorRole } from '../contract/desk/operator-roles.ts';
import { Name } from '../contract/shapes.ts';
import { cleanEmail } from '../contract/typed.ts';
import { createAuth } from '../server/sign-in/auth.ts';
import { ensureOperator } from '../server/desk/operators/ensure-operator.ts';
import { findOperators } from '../server/members/operator.ts';
import { removeOperatorByEmail } from '../server/desk/operators/remove-operator-by-email.ts';
import { isWeakPassword } from '../server/sign-in/weak-password.ts';
import { type Config, readConfig } from '../server/start/config.ts';
import { createLog } from '../server/lib/log.ts';
import { Failure, type Io, print, type Shared, show } from './output.ts';
import { withDatabase } from './connection.ts';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

export function operatorCommands(program: Command): void {
  const operator = program.command('operator').description('people of the studio');
  operator
    .command('create')
    .description('make somebody an operator; asks for the password, or takes it from OPERATOR_PASSWORD')
    .requiredOption('--email <address>', 'their e-mail address', cleanEmail)
    .option('--name <name>', 'the name that colleagues see at the desk; they can change it')
    .addOption(
      new Option('--role <role>', 'what they may do; an existing operator keeps theirs')
        .choices(operatorRoles)
        .default('owner'),
    )
    .option('--replace-password', 'for an existing person: sets the password, and ends sessions, keys and worker keys')
    .action(async (_, command: Command) => createOperator(command.optsWithGlobals()));
  operator
    .command('remove')
    .description('remove an operator; ends their sessions, worker keys and invitations, and releases their jobs')
    .requiredOption('--email <address>', 'their e-mail address', cleanEmail)
    .action(async (_, command: Command) => endOperator(command.optsWithGlobals()));
  operator
    .command('list')
    .description('list the operators')
    .action(async (_, command: Command) => showOperators(command.optsWithGlobals()));
}

type Creation = Shared & { email: string; role: OperatorRole; name?: string; replacePassword?: boolean };

async function createOperator(options: Creation): Promise<void> {
  const { io, email, name, role, replacePassword = false } = options;
  if (name !== undefined && !Check(Name(''), name))
    throw new Failure(
      'This is no name.',
      'Use 1 to 100 letters, digits, spaces, emoji and common punctuation, without a slash or a link.',
    );
  const password = io.env['OPERATOR_PASSWORD'] || (await readPassword(io, `Password for ${email}: `));
  const config = readConfig({ ...io.env, OPERATOR_EMAIL: email, OPERATOR_PASSWORD: password });
  if (isWeakPassword(password, { email, ...(name ? { name } : {}) }))
    throw new Failure(
      'The password is easy to guess.',
      'Choose another, such as four words that do not belong together.',
    );
  const { secretKeys } = config;
  const log = logOf(io, config);
  const holds = await withDatabase(io, config, (db) => {
    const auth = createAuth({ db, publicUrl: config.publicUrl, secretKeys, log });
    return ensureOperator({ db, auth, log }, { email, password, role, replacePassword, ...(name ? { name } : {}) });
  });
  const unchanged = `${email} is already an operator. Their password is a different one and was not changed.`;
  show(options, { operator: { email, password_holds: holds } }, [holds ? `${email} is an operator.` : unchanged]);
}

async function endOperator(options: Shared & { email: string }): Promise<void> {
  const { io, email } = options;
  const config = readConfig(io.env);
  const ended = await withDatabase(io, config, (db) => removeOperatorByEmail({ db, log: logOf(io, config) }, email));
  if (config.operator?.email.toLowerCase() === email.toLowerCase())
    print(io, 'OPERATOR_EMAIL names them: the next start makes them an operator again. Remove it from the settings.');
  const { worker_keys: keys, jobs, operator_invitations: invitations } = ended;
  show(options, { operator: { email, removed: true, ...ended } }, [
    `${email} is no longer an operator.`,
    `Worker keys revoked: ${keys.length}. Jobs returned to the queue: ${jobs.length}. Invitations ended: ${invitations.length}.`,
  ]);
}

async function showOperators(options: Shared): Promise<void> {
  const { io } = options;
  const operators = await withDatabase(io, readConfig(io.env), findOperators);
  const rows = operators.map(({ email, name, role, since }) => `${email}  ${name}  ${role}  since ${since}`);
  show(options, { operators }, rows.length > 0 ? rows : ['There is no operator.']);
}

/** Changes of authority are logged to standard error, as in the service's log. */
const logOf = ({ stderr }: Io, { logLevel }: Config) => createLog(logLevel, stderr);

/** Reads a password from the terminal without showing it. */
async function readPassword({ stdin, stderr }: Io, question: string): Promise<string> {
  if (!stdin.isTTY) throw new Failure('There is no terminal to ask for the password.', 'Set OPERATOR_PASSWORD.');
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: unseen, terminal: true });
  stderr.write(question); // the echo is off from here on
  try {
    return await new Promise((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => reject(new Failure('No password was given.', 'Run the command again.')));
    });
  } finally {
    lines.close();
    stderr.write('\n');
  }
}
