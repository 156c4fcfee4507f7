import { Command, CommanderError } from 'commander';
import { appCommands } from './app.ts';
import { backupCommand } from './backup.ts';
import { catalogCommands } from './catalog.ts';
import { checkCommand } from './check.ts';
import { doctorCommand } from './doctor.ts';
import { feedCommands } from './feed.ts';
import { importCommand } from './import.ts';
import { migrateCommand } from './migrate.ts';
import { operatorCommands } from './operator.ts';
import { providerCommands } from './provider.ts';
import { secondFactorCommands } from './second-factor.ts';
import { restoreCommand } from './restore.ts';
import { Ended, type Io, type Shared, showFailure } from './output.ts';
import { supportBundleCommand } from './support-bundle.ts';
import { secretsCommands } from './secrets.ts';
import { storageCommands } from './storage.ts';
import { workerKeyCommands } from './worker-key.ts';

/** `npm run admin -- …`. Returns 0 on success, 1 on failure or contradictions, 2 on usage errors. */
export async function run(words: string[], io: Io): Promise<number> {
  const program = programOf(io);
  try {
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof Ended) return error.exitCode;
    // Commander prints usage errors itself. Asking for help is no error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    showFailure(program.opts<Shared>(), error);
    return 1;
  }
}

export function programOf(io: Io): Command {
  const program = new Command('npm run admin --')
    .description('The operators’ command line of Atelier')
    .option('--json', 'results, and errors, as JSON')
    .option('--url <address>', 'where the service runs; default: from HOST and PORT')
    .setOptionValue('io', io) // so that each command gets it with these two
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .exitOverride();
  providerCommands(program);
  operatorCommands(program);
  secondFactorCommands(program);
  workerKeyCommands(program);
  appCommands(program);
  catalogCommands(program);
  feedCommands(program);
  checkCommand(program);
  doctorCommand(program);
  supportBundleCommand(program);
  storageCommands(program);
  secretsCommands(program);
  migrateCommand(program);
  backupCommand(program);
  restoreCommand(program);
  importCommand(program);
  return program;
}
