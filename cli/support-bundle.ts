import type { Command } from 'commander';
import { writeFile } from 'node:fs/promises';
import { createSupportBundle } from '../server/doctor/support-bundle.ts';
import { readConfig } from '../server/start/config.ts';
import { withDatabase } from './connection.ts';
import { examine } from './doctor.ts';
import { Failure, type Shared, show } from './output.ts';

export function supportBundleCommand(program: Command): void {
  program
    .command('support-bundle')
    .description(
      'write what helps others to find a fault, without secrets, addresses and texts; the service may be stopped',
    )
    .argument('<file>', 'a file that does not exist yet')
    .action(async (file: string, _, command: Command) => save(file, command.optsWithGlobals()));
}

async function save(file: string, options: Shared): Promise<void> {
  const { io } = options;
  const config = readConfig(io.env);
  const findings = await examine(options);
  const bundle = await withDatabase(io, config, (db) => createSupportBundle(db, config, { findings, ofProcess: null }));
  await writeFile(file, `${JSON.stringify(bundle, null, 2)}\n`, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Failure(`${file} exists already.`, 'Name a file that does not exist yet.');
  });
  show(options, { support_bundle: { file } }, [`${file} has what helps others. Read it before you send it.`]);
}
