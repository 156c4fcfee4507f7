// Runs after the build: leaves only the packages that the bundle needs beside it.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesBesideBundle, removeUnread } from '../scripts/packages.ts';

const modules = join(import.meta.dirname, '..', 'node_modules');
const needed = packagesBesideBundle();
const names = readdirSync(modules).flatMap((name) =>
  name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
);
for (const name of names) if (!needed.has(name)) rmSync(join(modules, name), { recursive: true, force: true });
for (const name of readdirSync(modules))
  if (name.startsWith('@') && readdirSync(join(modules, name)).length === 0)
    rmSync(join(modules, name), { recursive: true });
removeUnread(modules);
// Tells `scripts/run.cjs` that the others are not missing.
writeFileSync(join(modules, '.pruned'), '');
