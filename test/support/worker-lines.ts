/** What `worker-process.ts` prints of an answer. */
export type WorkerLine = {
  verb: string;
  status: number;
  job: string;
  code?: string;
  token?: string;
  expires_at?: string;
};

/**
 * When each lease on a job was to end at first and, once extended, at last: milliseconds by the clock of the
 * service, in the order of the claims.
 */
export function leasesOf(lines: readonly WorkerLine[], id: string): { first: number; last: number }[] {
  const ofJob = lines.filter(({ job, expires_at }) => job === id && expires_at !== undefined);
  const leases = Object.values(Object.groupBy(ofJob, ({ token = '' }) => token)).map((ofLease = []) => {
    const ends = ofLease.map(({ expires_at = '' }) => Date.parse(expires_at));
    return { first: Math.min(...ends), last: Math.max(...ends) };
  });
  return leases.toSorted((a, b) => a.first - b.first);
}
