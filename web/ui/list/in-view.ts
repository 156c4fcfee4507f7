/** What is chosen of a line that a phone scrolls sideways stands where it is seen. */
export const inView = (element: HTMLElement | null): void =>
  element?.scrollIntoView({ block: 'nearest', inline: 'center' });
