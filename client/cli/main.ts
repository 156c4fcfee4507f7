#!/usr/bin/env node
import { throughProxy } from './proxy.ts';
import { run } from './run.ts';

// A closed pipe, as with `| head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await throughProxy(process, () => run(process.argv.slice(2), process));
