import { useLayoutEffect, useState } from 'react';
import { useSession } from './session.tsx';

/** Survives reloads, sign-ins and deployments until `forget`. Other people never see it. */
export function useDraft<Draft>(name: string, initial: Draft) {
  const { user, account } = useSession();
  // The draft belongs to its author, whoever signs in later.
  const [writer] = useState(`${user.id}-${account.id}`);
  const key = `atelier-draft-${writer}-${name}`;
  const [draft, setDraft] = useState(() => (readDraft(key) as Draft | null) ?? initial);
  // Saved before it is shown as saved.
  useLayoutEffect(() => {
    // If the storage is full or blocked, only a reload loses the draft.
    try {
      localStorage.setItem(key, JSON.stringify(draft));
    } catch {}
  }, [key, draft]);
  const forget = () => {
    localStorage.removeItem(key);
    setDraft(initial);
  };
  return [draft, setDraft, forget] as const;
}

function readDraft(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as unknown;
  } catch {
    return null;
  }
}
