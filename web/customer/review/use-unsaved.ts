import { useDraft } from '../../app/session/draft.ts';

/** A new comment that the service does not have yet. */
export type Unsaved = { key: string; fileId: string; at: string | null; text: string; createdAt: string };

/** Comments of a round that only this browser has. */
export const useUnsaved = (jobId: string, round: number) => useDraft<Unsaved[]>(`unsaved-${jobId}-${round}`, []);
