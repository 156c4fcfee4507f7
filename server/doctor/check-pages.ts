import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { customerPages, deskPages } from '../../contract/pages.ts';
import { buildOf } from '../pages/serve-pages.ts';
import { fail, type Finding, ok } from './finding.ts';

const action = 'Run: npm run build';

export async function checkPages(pagesDir: string): Promise<Finding> {
  const build = buildOf(pagesDir);
  if (build === null) return fail('The web pages are not built.', action);
  const missing = Object.entries({ customer: customerPages, desk: deskPages })
    .flatMap(([folder, paths]) => Object.keys(paths).map((name) => join(folder, `${name}.html`)))
    .filter((file) => !existsSync(join(pagesDir, file)));
  if (missing.length > 0)
    return fail(`The build of the web pages is older than this version: ${missing[0]} is missing.`, action);
  return ok(`The web pages are built (${build}).`);
}
