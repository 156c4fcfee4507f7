import { bundle, pages } from '../web/build/fingerprint.ts';
import { buildPages } from '../web/build/build.ts';
import { bundleServer } from './bundle.ts';

const isStrict = process.argv.includes('--strict');

/** Unless it is up to date. The service starts without it, but an explicit build must report the failure. */
async function build(what: string, { state }: typeof pages, make: () => Promise<void>): Promise<void> {
  if (state() === 'current') return;
  const began = performance.now();
  try {
    await make();
    process.stdout.write(`${what} built in ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  } catch (error) {
    process.stderr.write(`${what} not built: ${error instanceof Error ? error.message : String(error)}\n`);
    if (isStrict) process.exitCode = 1;
  }
}

await build('The pages were', pages, buildPages);
await build('The server was', bundle, bundleServer);
