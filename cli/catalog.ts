import { resolve } from 'node:path';
import type { Command } from 'commander';
import { loadCatalog } from '../server/catalog/load-catalog.ts';
import { show } from './output.ts';
import type { Shared } from './connection.ts';

const shipped = resolve(import.meta.dirname, '..', 'catalog');

export function catalogCommands(program: Command): void {
  program
    .command('catalog')
    .description('what is sold')
    .command('check')
    .description(
      'check the catalog like the service does at the start; reports each mistake with file, line and reason',
    )
    .argument('[dir]', 'its folder; default: CATALOG_DIR')
    .action((dir: string | undefined, _, command: Command) => checkCatalog(dir, command.optsWithGlobals()));
}

function checkCatalog(dir: string | undefined, { json }: Shared): void {
  const { families, plans } = loadCatalog(resolve(dir ?? (process.env.CATALOG_DIR || shipped)));
  const ids = { families: [...families.keys()], plans: [...plans.keys()] };
  show(json, ids, [`families: ${ids.families.join(', ')}`, `plans: ${ids.plans.join(', ')}`]);
}
