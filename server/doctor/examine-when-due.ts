import { once } from 'node:events';
import type { Context } from '../start/context.ts';
import { beginExamination, endExamination, returnExamination } from './examination.ts';
import { checkConfiguration } from './check-configuration.ts';
import { examineAll } from './examine.ts';
import type { Line } from './run-checks.ts';

type Examined = Pick<Context, 'db' | 'config' | 'publicUrl' | 'pagesDir' | 'build' | 'isCopy' | 'directUrl'>;

/** A scheduled task, so that one process examines for all. */
export async function examineWhenDue(context: Examined, stopped: AbortSignal): Promise<void> {
  const { db } = context;
  const id = await beginExamination(db);
  if (id === null) return;
  const ended = new AbortController();
  const stop = stopped.aborted || once(stopped, 'abort', { signal: ended.signal }).catch(() => {});
  const findings = await Promise.race([examineService(context), Promise.resolve(stop).then(() => null)]);
  ended.abort();
  await (findings ? endExamination(db, id, findings) : returnExamination(db, id));
}

async function examineService({ config, publicUrl, pagesDir, build, isCopy, directUrl }: Examined): Promise<Line[]> {
  const { variables } = config.environment;
  const settings = checkConfiguration(variables).findings.map((finding) => ({ check: 'configuration', ...finding }));
  const builtPages = build === null ? ('missing' as const) : ('current' as const);
  const installation = { config, variables, publicUrl, pagesDir, builtPages, mailTo: null, isCopy, isService: true };
  return [...settings, ...(await examineAll(installation, (use) => use(directUrl)))];
}
