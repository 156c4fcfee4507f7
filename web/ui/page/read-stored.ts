/** What a storage of this browser has under a name; null without it, or if it cannot be read. */
export function readStored<Value>(storage: Storage, name: string): Value | null {
  try {
    return JSON.parse(storage.getItem(name) ?? 'null') as Value | null;
  } catch {
    return null;
  }
}
