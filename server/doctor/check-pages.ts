import { buildOf } from '../pages/serve-pages.ts';
import { fail, type Finding, ok } from './finding.ts';

/** `stale`: built from other sources than those beside them, which `npm run serve` refuses. */
export type BuiltPages = 'missing' | 'stale' | 'current';

const action = 'Run: npm run build';

export async function checkPages(built: BuiltPages, pagesDir: string): Promise<Finding> {
  if (built === 'missing') return fail('The web pages are not built.', action);
  if (built === 'stale') return fail('The web pages were built from other sources than those of this version.', action);
  return ok(`The web pages are built (${buildOf(pagesDir)}).`);
}
