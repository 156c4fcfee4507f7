import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { catalogVersionBounds } from '../contract/desk/catalog-version-bounds.ts';
import { readFolder } from '../server/catalog/documents.ts';
import { loadCatalog } from '../server/catalog/load-catalog.ts';
import { documentsOf, listVersions, newestVersion } from '../server/publishing/catalog-version.ts';
import { makeFolder } from '../server/lib/make-folder.ts';
import { root } from '../server/lib/places.ts';
import { publishFolder } from '../server/publishing/publish-files.ts';
import { readConfig } from '../server/start/config.ts';
import { Failure, type Shared, show } from './output.ts';
import { withDatabase } from './connection.ts';

const shipped = join(root, 'catalog');
const folderOf = ({ io }: Shared, dir: string | undefined) => resolve(dir ?? (io.env['CATALOG_DIR'] || shipped));

export function catalogCommands(program: Command): void {
  const catalog = program.command('catalog').description('what is sold');
  catalog
    .command('check')
    .description(
      'check the catalog like the service does at the start; reports each mistake with file, line and reason',
    )
    .argument('[dir]', 'its folder; default: CATALOG_DIR')
    .action((dir: string | undefined, _, command: Command) => checkCatalog(dir, command.optsWithGlobals()));
  catalog
    .command('list')
    .description('the newest 25 versions; the first is served')
    .action(async (_, command: Command) => listCatalog(command.optsWithGlobals()));
  catalog
    .command('publish')
    .description('publish the files of a folder as a version, unless they are the newest already')
    .argument('[dir]', 'the folder; default: CATALOG_DIR')
    .option('--note <text>', 'what changed')
    .action(async (dir: string | undefined, _, command: Command) => publishCatalog(dir, command.optsWithGlobals()));
  catalog
    .command('export')
    .description('write the files of the newest version to a folder')
    .argument('<dir>', 'the folder; files of the same names are replaced')
    .action(async (dir: string, _, command: Command) => exportCatalog(resolve(dir), command.optsWithGlobals()));
}

function checkCatalog(dir: string | undefined, options: Shared): void {
  const { families, plans } = loadCatalog(folderOf(options, dir));
  const ids = { families: [...families.keys()], plans: [...plans.keys()] };
  show(options, ids, [`families: ${ids.families.join(', ')}`, `plans: ${ids.plans.join(', ')}`]);
}

async function listCatalog(options: Shared): Promise<void> {
  const { io } = options;
  const versions = await withDatabase(io, readConfig(io.env), (db) => listVersions(db, null, 25));
  const listed = versions.map(({ number, created_at, creator_name, note }) => ({
    number,
    created_at: created_at.toISOString(),
    author: creator_name,
    note,
  }));
  const lines = listed.map(({ number, created_at: at, author, note }) =>
    [String(number).padStart(4), at, author ?? 'from files', note ?? ''].join('  ').trimEnd(),
  );
  show(options, { versions: listed }, lines);
}

/** The processes serve it within a second. Prices are verified by the next of their scheduled tasks. */
async function publishCatalog(dir: string | undefined, options: Shared & { note?: string }): Promise<void> {
  const { io, note } = options;
  if (note !== undefined && (note.trim() === '' || note.length > catalogVersionBounds.note))
    throw new Failure('The note must have 1 to 500 characters.', 'Shorten it.');
  const folder = folderOf(options, dir);
  const { number } = await withDatabase(io, readConfig(io.env), (db) =>
    publishFolder(db, folder, readFolder(folder), note ?? null),
  );
  show(options, { version: number }, [`version ${number} is the newest`]);
}

async function exportCatalog(dir: string, options: Shared): Promise<void> {
  const { io } = options;
  const documents = await withDatabase(io, readConfig(io.env), async (db) => {
    const newest = await newestVersion(db);
    if (!newest) throw new Failure('No version was published yet.', 'Start the service, or run: catalog publish');
    return documentsOf(db, newest);
  });
  for (const [file, bytes] of documents) {
    makeFolder(dirname(join(dir, file)));
    writeFileSync(join(dir, file), bytes);
  }
  const files = [...documents.keys()];
  show(options, { files }, files);
}
