import type { FastifyBaseLogger } from 'fastify';

/** Connections at once: 10,000 streams, and room for who asks meanwhile. */
const wanted = 12_000;

/** Open files for everything else: the database, the log, modules, uploads. */
const reserved = 500;

type Report = { userLimits?: { open_files?: { soft: number | 'unlimited' } } };

/** As many as the limit of open files allows: past that no file can be opened, nor a connection to the database. */
export function maxConnections(log: FastifyBaseLogger): number {
  Object.assign(process.report, { excludeNetwork: true }); // else it looks up names
  const { userLimits } = process.report.getReport() as Report;
  const files = userLimits?.open_files?.soft;
  if (typeof files !== 'number' || files >= wanted + reserved) return wanted;
  const allowed = Math.max(files - reserved, Math.floor(files / 2));
  log.warn(`\`ulimit -n\` is ${files}: at most ${allowed} connections at once, instead of ${wanted}`);
  return allowed;
}
