/** Scrolls the selected item of a horizontal list into view. */
export const inView = (element: HTMLElement | null): void =>
  element?.scrollIntoView({ block: 'nearest', inline: 'center' });
