/** Milliseconds after which a browser has surely begun to copy a file. */
const copied = 60_000;

export function saveFile(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), copied);
}
