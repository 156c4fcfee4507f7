// Runs after `npm prune --omit=dev` and removes what that leaves behind although no running service uses it:
// Postgres of the trial, and tools of build and tests, which npm keeps as optional peers of packages in use.
// `--omit=optional` would also remove the native parts of the libraries that draw posters.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
/** @type {{ packages: Record<string, { devOptional?: true, optionalDependencies?: Record<string, string> }> }} */
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

const tools = Object.keys(packages).filter((path) => packages[path]?.devOptional);
const unused = [packages[''], ...tools.map((path) => packages[path])].flatMap((each) =>
  Object.keys(each?.optionalDependencies ?? {}).map((name) => `node_modules/${name}`),
);
for (const path of [...tools, ...unused]) rmSync(join(root, path), { recursive: true, force: true });
