/** Milliseconds after which a browser has surely begun to copy a file. */
const copied = 60_000;

export function saveFile(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), copied);
}

/** The filters of a list as the text of a query. */
export const queryText = (filters: Record<string, unknown>): string =>
  new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)])).toString();
