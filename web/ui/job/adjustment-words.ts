export const jobCount = (jobs: number): string => `${jobs} ${jobs === 1 ? 'job' : 'jobs'}`;

/** "1 job given back", "2 jobs charged". */
export const adjustmentWords = (quantity: number): string =>
  `${jobCount(Math.abs(quantity))} ${quantity < 0 ? 'given back' : 'charged'}`;
