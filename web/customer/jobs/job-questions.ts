import type { Message } from '../../app/api.ts';
import { isOpenQuestion } from '../../app/message-entry.ts';

/** Why a question that was open on this page is no longer open. */
export type Outcome = { kind: 'answered'; by: string; mine: boolean } | { kind: 'withdrawn' } | { kind: 'closed' };

/** Oldest first. */
export const openQuestions = (messages: Message[]): Message[] => messages.filter(isOpenQuestion);

export function outcomeOf(questions: string[], messages: Message[]): Outcome | null {
  const gone = messages.filter(({ id }) => questions.includes(id));
  if (gone.length === 0 || gone.some(isOpenQuestion)) return null;
  const answeredAt = gone.find(({ answered_at }) => answered_at !== null)?.answered_at;
  if (answeredAt) {
    const answer = messages.find(({ author, created_at }) => author.kind === 'customer' && created_at === answeredAt);
    return { kind: 'answered', by: answer?.author.name ?? 'A colleague', mine: answer?.mine ?? false };
  }
  return gone.some(({ closed_at }) => closed_at !== null) ? { kind: 'closed' } : { kind: 'withdrawn' };
}
