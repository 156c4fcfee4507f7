import { useLayoutEffect, useRef, useState } from 'react';
import { readStored } from '../../ui/page/read-stored.ts';
import { useNow } from '../../ui/time/now.ts';
import { useSession } from './session.tsx';

/**
 * Survives reloads, sign-ins and deployments until `forget`. Other people never see it. A draft that gets
 * another name moves there.
 */
export function useDraft<Draft>(name: string, initial: Draft) {
  const { user, account } = useSession();
  // The draft belongs to its author, whoever signs in later.
  const [writer] = useState(`${user.id}-${account.id}`);
  const key = `atelier-draft-${writer}-${name}`;
  const empty = JSON.stringify(initial);
  const [draft, setDraft] = useState(() => (readStored(localStorage, key) as Draft | null) ?? initial);
  const lastKey = useRef(key);
  // Saved before it is shown as saved.
  useLayoutEffect(() => {
    if (lastKey.current !== key) localStorage.removeItem(lastKey.current);
    lastKey.current = key;
    // If the storage is full or blocked, only a reload loses the draft.
    try {
      const text = JSON.stringify(draft);
      if (text === empty) localStorage.removeItem(key);
      else localStorage.setItem(key, text);
    } catch {}
  }, [key, draft, empty]);
  const forget = () => {
    localStorage.removeItem(key);
    setDraft(initial);
  };
  return [draft, setDraft, forget] as const;
}

/** The drafts of other fields, as they are stored: read at each render, and once a second. */
export function useStoredDrafts() {
  const { user, account } = useSession();
  useNow(1_000);
  const keyOf = (name: string) => `atelier-draft-${user.id}-${account.id}-${name}`;
  return {
    /** The text of a draft, or its `message`; empty without one. */
    read(name: string): string {
      const draft = readStored(localStorage, keyOf(name)) as string | { message?: string } | null;
      return (typeof draft === 'string' ? draft : draft?.message) ?? '';
    },
    write(name: string, draft: unknown) {
      // If the storage is full or blocked, only a reload loses the draft.
      try {
        localStorage.setItem(keyOf(name), JSON.stringify(draft));
      } catch {}
    },
    forget: (names: string[]) => names.forEach((name) => localStorage.removeItem(keyOf(name))),
  };
}
