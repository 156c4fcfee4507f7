import type { readSupportBundle as endpoint } from '../../contract/desk/health.ts';
import { appendAuditOnce } from '../audit/append-audit.ts';
import { transact } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { readMetrics } from '../probes/read-metrics.ts';
import type { Context } from '../start/context.ts';
import { readNewest } from './examination.ts';
import { createSupportBundle } from './support-bundle.ts';

export async function readSupportBundle(
  context: Context,
  { cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { db, config, loops } = context;
  const entry = { action: 'support_bundle.saved', subject: 'installation', accountId: null } as const;
  await transact(db, (trx) => appendAuditOnce(trx, cause, entry));
  const newest = await readNewest(db, { dailyOnly: false });
  const ofProcess = { loops: loops.ages(), metrics: (await readMetrics(context)).body };
  const bundle = await createSupportBundle(db, config, { findings: newest?.findings ?? [], ofProcess });
  return {
    status: 200,
    body: bundle,
    headers: { 'content-disposition': 'attachment; filename="atelier-support.json"' },
  };
}
