import type { Job } from '../../app/api.ts';

/** What another round of changes costs; nothing where none is left. */
export const roundWords = ({ revisions: { used, included } }: Job) =>
  used < included ? `Changes use round ${used + 1} of ${included} and cost nothing.` : '';
