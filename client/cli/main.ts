#!/usr/bin/env node
import { exitCodeOf } from './exit-codes.ts';
import { run } from './run.ts';
import { showError } from './terminal.ts';

// A closed pipe, as with `| head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
const args = process.argv.slice(2);
try {
  process.exitCode = await run(args);
} catch (error) {
  showError(error, args.includes('--json'));
  process.exitCode = exitCodeOf(error);
}
