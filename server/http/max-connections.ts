import type { FastifyBaseLogger } from 'fastify';

/** Connections at once: 10,000 streams plus room for ordinary requests. */
const most = 12_000;

/** File descriptors reserved for the database, the log, modules and uploads. */
const reserved = 500;

type Report = { userLimits?: { open_files?: { soft: number | 'unlimited' } } };

/** As many as the limit on open files allows, less a reserve. */
export function maxConnections(log: FastifyBaseLogger): number {
  Object.assign(process.report, { excludeNetwork: true }); // otherwise it looks up host names
  const { userLimits } = process.report.getReport() as Report;
  const files = userLimits?.open_files?.soft;
  if (typeof files !== 'number' || files >= most + reserved) return most;
  const allowed = Math.max(files - reserved, Math.floor(files / 2));
  log.warn(`\`ulimit -n\` is ${files}: at most ${allowed} connections at once, instead of ${most}`);
  return allowed;
}
