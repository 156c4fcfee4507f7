import { useLayoutEffect, useState } from 'react';
import { useSession } from './session.tsx';

/** State that outlives a reload, a session and a deployment, until `forget` is called. Another person never reads it. */
export function useDraft<Draft>(name: string, initial: Draft) {
  const { user, account } = useSession();
  // Whoever signs in meanwhile, what is on the page belongs to who wrote it.
  const [writer] = useState(`${user.id}-${account.id}`);
  const key = `atelier-draft-${writer}-${name}`;
  const [draft, setDraft] = useState(() => (readDraft(key) as Draft | null) ?? initial);
  // Before it is shown: what the page says is kept must survive a reload at that very moment.
  useLayoutEffect(() => {
    // A full or closed storage loses the draft on reload, nothing else.
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
