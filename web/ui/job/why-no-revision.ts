import type { Job } from '../../../client/generated/types.gen.ts';

/** Why changes cannot be asked for; null if they can. */
export function whyNoRevision({ revisions: { used, included }, allowed_actions }: Job): string | null {
  if (allowed_actions.includes('revision')) return null;
  if (included === 0) return 'This service includes no rounds of changes.';
  if (used >= included) return 'All rounds of changes are used.';
  return 'Asking for changes needs an active plan.';
}
