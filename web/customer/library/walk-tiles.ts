const steps: Record<string, (columns: number) => number> = {
  ArrowRight: () => 1,
  ArrowLeft: () => -1,
  ArrowDown: (columns) => columns,
  ArrowUp: (columns) => -columns,
};

/** Moves the focus from tile to tile, by rows of as many columns as are shown. */
export function walkTiles(event: KeyboardEvent): void {
  const list = event.currentTarget as HTMLElement;
  const step = steps[event.key];
  const tiles = [...list.querySelectorAll<HTMLElement>('[data-tile]')];
  const at = tiles.findIndex((tile) => tile === document.activeElement);
  if (!step || at < 0) return;
  const columns = getComputedStyle(list).gridTemplateColumns.split(' ').length;
  const next = tiles[at + step(columns)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
