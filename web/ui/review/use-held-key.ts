import { useEffect, useState } from 'react';

/** The key of these that is held down now, or that a button has switched on. */
export function useHeldKey(keys: string[]) {
  const [pressed, setPressed] = useState<string | null>(null);
  const list = keys.join('');
  useEffect(() => {
    const isTyping = (target: EventTarget | null) =>
      target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    const press = ({ key, target, ctrlKey, metaKey }: KeyboardEvent) => {
      if (list.includes(key) && key.length === 1 && !ctrlKey && !metaKey && !isTyping(target)) setPressed(key);
    };
    const release = ({ key }: KeyboardEvent) => setPressed((now) => (now === key ? null : now));
    document.addEventListener('keydown', press);
    document.addEventListener('keyup', release);
    return () => {
      document.removeEventListener('keydown', press);
      document.removeEventListener('keyup', release);
    };
  }, [list]);
  return [pressed, setPressed] as const;
}
