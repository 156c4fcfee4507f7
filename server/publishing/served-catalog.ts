import type { Catalog } from '../catalog/catalog.ts';
import { type Documents, readFolder, showProblem } from '../catalog/documents.ts';
import { loadDocuments } from '../catalog/load-catalog.ts';
import type { Db } from '../db/pool.ts';
import type { Hub } from '../events/hub.ts';
import type { Loops } from '../lib/loops.ts';
import { documentsOf, newestVersion, type VersionRow } from './catalog-version.ts';
import { publishAtStart } from './publish-files.ts';
import { catalogTopic } from './publish-version.ts';

/** Milliseconds between looks for a version whose notification was lost. */
const lookEvery = 1_000;

type Log = { warn(fields: object, message: string): void; info(fields: object, message: string): void };
type Dependencies = { db: Db; hub: Hub; log: Log; loops: Loops };
type Settings = { catalogDir: string; catalogInFiles: boolean };

/** The newest version of the catalog, as this process serves it. */
export class ServedCatalog {
  /** Follows publications: its fields change with each. Requests take `current` instead. */
  readonly catalog: Catalog;
  readonly #parts: Dependencies;
  readonly #timer: NodeJS.Timeout;
  /** Never changes: what a request began with. */
  current: Catalog;
  #number: number;
  /** The version that was read last. */
  #readNumber: number | null = null;
  #looking: Promise<void> | null = null;
  #again = false;
  #closed = false;

  /** Publishes the files of the folder first, unless they were published. */
  static async open(dependencies: Dependencies, { catalogDir, catalogInFiles }: Settings): Promise<ServedCatalog> {
    const version = await publishAtStart(dependencies.db, catalogDir, readFolder(catalogDir), catalogInFiles);
    const catalog = await load(dependencies.db, version);
    if (catalog.lacksTimeZone)
      dependencies.log.warn(
        {},
        'studio.yaml has hours and no time_zone: they count in UTC. Set one with the next version',
      );
    return new ServedCatalog(dependencies, version.number, catalog);
  }

  private constructor(dependencies: Dependencies, number: number, catalog: Catalog) {
    this.#parts = dependencies;
    this.#number = number;
    this.current = catalog;
    this.catalog = { ...catalog };
    dependencies.loops.succeeded('catalog');
    this.#timer = setInterval(() => void this.adopt(), lookEvery).unref();
    dependencies.hub.add(catalogTopic, { wake: () => void this.adopt() });
  }

  /** Serves the newest version. Calls share a look at the database; one during a look causes another. */
  adopt(): Promise<void> {
    this.#again = true;
    this.#looking ??= this.#look().finally(() => (this.#looking = null));
    return this.#looking;
  }

  async #look(): Promise<void> {
    while (this.#again && !this.#closed) {
      this.#again = false;
      await this.#adoptNewest().then(
        (isServed) => isServed && this.#parts.loops.succeeded('catalog'),
        (err: unknown) =>
          this.#closed || this.#parts.log.warn({ err }, 'could not serve the newest version of the catalog'),
      );
    }
  }

  /** Whether the newest version is served. One that cannot be is read once, and the log says it once. */
  async #adoptNewest(): Promise<boolean> {
    const { db, log } = this.#parts;
    const version = await newestVersion(db);
    if (!version || version.number === this.#number) return true;
    if (version.number === this.#readNumber) return false;
    const documents = await documentsOf(db, version);
    this.#readNumber = version.number;
    const next = catalogOf(version, documents);
    // Pages that were made from the previous version still show its pictures.
    const pictures = new Map([...this.current.pictures, ...next.pictures]);
    this.current = { ...next, pictures };
    Object.assign(this.catalog, this.current);
    this.#number = version.number;
    log.info({ version: version.number }, 'serving a new version of the catalog');
    return true;
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
  }
}

/** What a start would serve if it published nothing; null before the first start. */
export async function readNewestCatalog(db: Db): Promise<Catalog | null> {
  const version = await newestVersion(db);
  return version && load(db, version);
}

const load = async (db: Db, version: VersionRow): Promise<Catalog> =>
  catalogOf(version, await documentsOf(db, version));

function catalogOf(version: VersionRow, documents: Documents): Catalog {
  const { catalog, problems } = loadDocuments(documents);
  if (catalog) return catalog;
  const lines = problems.map((problem) => showProblem(problem));
  throw new Error([`Version ${version.number} of the catalog cannot be used:`, ...lines].join('\n'));
}
