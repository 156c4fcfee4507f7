import { useDraft } from '../../../app/session/draft.ts';

/** What a person said they need, before it is the draft of a service and after. */
export type Need = {
  words: string;
  /** The words as the service has them. */
  stored: string;
  /** The draft that holds them. */
  draft: string | null;
  /** `family.type`, if the person chose another service than the words name. */
  service: string | null;
  /** Whether files are part of it. */
  hasFiles: boolean;
};

/** Under which this browser stores what no draft of the service has yet. */
export const needEdits = 'need-draft';

export const noNeed: Need = { words: '', stored: '', draft: null, service: null, hasFiles: false };

/** The same on every page that asks for it. */
export const useNeed = () => useDraft<Need>('need', noNeed);

/** Words from elsewhere, such as a search, below what stands there. */
export const withMore = (need: Need, words: string): Need =>
  need.words.includes(words) ? need : { ...need, words: [need.words, words].filter(Boolean).join('\n') };
