/** What happened: one line. `who` is set apart from what they did. */
export type StoryEvent = {
  kind: 'event';
  id: string;
  at: string;
  who?: string | undefined;
  title: string;
  detail?: string | undefined;
  tone?: 'you' | 'turn' | 'bad' | undefined;
};

export type StoryFile = {
  id: string;
  file_name: string;
  content_type: string;
  size_bytes: number;
  status: string;
  url: string;
  poster?: string | null;
  poster_status?: 'none' | 'pending' | 'made' | 'failed';
};

/** What somebody wrote. `note` is for colleagues only and looks like nothing that the customer reads. */
export type StoryMessage = {
  kind: 'message' | 'note';
  id: string;
  at: string;
  author: { name: string; face: 'person' | 'studio' };
  you: boolean;
  text: string;
  files: StoryFile[];
  badge?: string | undefined;
  takeBackUntil: string | null;
};

export type StoryEntry = StoryEvent | StoryMessage;

/** How many of the last entries are shown, and how many before the first new entry. */
const lastShown = 8;
const shownBeforeNew = 2;

/** How many entries are folded away. A fold of fewer than three saves nothing. */
export function foldedCount(entries: { id: string }[], newFrom: string | null): number {
  const firstNew = newFrom === null ? -1 : entries.findIndex(({ id }) => id === newFrom);
  const shown = firstNew === -1 ? lastShown : Math.max(lastShown, entries.length - firstNew + shownBeforeNew);
  const folded = entries.length - shown;
  return folded < 3 ? 0 : folded;
}

/** The first message of somebody else after the last one that the reader has read. */
export function firstUnread(entries: StoryEntry[], readId: string | null): string | null {
  const lastRead = entries.findIndex(({ id }) => id === readId);
  const unread = entries.slice(lastRead + 1).find((entry) => entry.kind === 'message' && !entry.you);
  return unread?.id ?? null;
}

/** "AL" of Ada Lovelace. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '');
  return letters.join('').toLocaleUpperCase();
}
