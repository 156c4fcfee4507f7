import { counted } from '../../ui/job/words.ts';
import { firstUnread, type StoryEntry } from '../../ui/thread/story.ts';

/** "2 messages, 4 events", or what is new, for the row of a folded story. */
export function storySummary(entries: StoryEntry[], readId: string | null): string {
  const from = entries.findIndex(({ id }) => id === firstUnread(entries, readId));
  const isWords = (entry: StoryEntry) => entry.kind === 'message';
  if (from !== -1) return `${entries.slice(from).filter((entry) => isWords(entry)).length} new`;
  const messages = entries.filter(isWords).length;
  const events = counted(entries.length - messages, 'event');
  return messages === 0 ? events : `${counted(messages, 'message')}, ${events}`;
}
