/** What a storage of this browser has under a name; null without it, or if it cannot be read. */
export function readStored(storage: Storage, name: string): unknown {
  try {
    return JSON.parse(storage.getItem(name) ?? 'null');
  } catch {
    return null;
  }
}
