import { useSyncExternalStore } from 'react';

/** A value outside of React, which `use` shows in every place. */
export function store<Value>(initial: Value) {
  let value = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    read: () => value,
    set: (next: Value): void => {
      if (next === value) return;
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, () => value),
    /** Renders only where the answer changes. */
    useIs: (other: Value) => useSyncExternalStore(subscribe, () => value === other),
  };
}

export type Store<Value> = ReturnType<typeof store<Value>>;
