import { Command, CommanderError } from 'commander';
import { backupCommand } from './backup.ts';
import { catalogCommands } from './catalog.ts';
import { checkCommand } from './check.ts';
import { doctorCommand } from './doctor.ts';
import { feedCommands } from './feed.ts';
import { migrateCommand } from './migrate.ts';
import { operatorCommands } from './operator.ts';
import { providerCommands } from './provider.ts';
import { secondFactorCommands } from './second-factor.ts';
import { restoreCommand } from './restore.ts';
import { showFailure } from './output.ts';
import { secretsCommands } from './secrets.ts';
import { storageCommands } from './storage.ts';
import { workerKeyCommands } from './worker-key.ts';

/** `npm run admin -- …`. Exits 0 on success, 1 on failure or contradictions, 2 on usage errors. */
const program = new Command('npm run admin --')
  .description('The operators’ command line of Atelier')
  .option('--json', 'results, and errors, as JSON')
  .option('--url <address>', 'where the service runs; default: from HOST and PORT')
  .exitOverride();
providerCommands(program);
operatorCommands(program);
secondFactorCommands(program);
workerKeyCommands(program);
catalogCommands(program);
feedCommands(program);
checkCommand(program);
doctorCommand(program);
storageCommands(program);
secretsCommands(program);
migrateCommand(program);
backupCommand(program);
restoreCommand(program);

/** Commander prints usage errors itself. Asking for help is no error. */
function exitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  showFailure(program.opts<{ json?: true }>().json, error);
  return 1;
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCode(error);
}
