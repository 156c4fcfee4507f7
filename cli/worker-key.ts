import type { Command } from 'commander';
import { Failure, print, type Shared, show } from './output.ts';
import { asOperator } from './connection.ts';

export function workerKeyCommands(program: Command): void {
  program
    .command('worker-key')
    .description('keys of automated fulfillers')
    .command('create')
    .description('create a key, as the operator of the running service; it is shown once')
    .requiredOption('--name <name>', 'a name for people')
    .option('--family <id...>', 'only jobs of these families')
    .option('--expires-at <time>', 'when it stops working: ISO 8601 with a zone')
    .action(async (_, command: Command) => createWorkerKey(command.optsWithGlobals()));
}

async function createWorkerKey(
  options: Shared & { name: string; family?: string[]; expiresAt?: string },
): Promise<void> {
  const { io, name, family, expiresAt, json } = options;
  const body = {
    name,
    ...(family ? { service_families: family } : {}),
    ...(expiresAt ? { expires_at: expiresAt } : {}),
  };
  const made = await asOperator(options, (atelier) => atelier.createWorkerKey({ body }));
  const { worker_key, plaintext_key, next_action } = made;
  if (plaintext_key === null) throw new Failure(`The answer with the key ${worker_key.id} was lost.`, next_action);
  if (!json) print(io, `${worker_key.id}: ${next_action}`);
  show(options, made, [plaintext_key]);
}
