/** Shows a message in the corner, one at a time. */
export function notify(message: string): void {
  void show(message);
}

/** The first paint does not need the library. */
async function show(message: string): Promise<void> {
  const { notifications } = await import('@mantine/notifications');
  notifications.clean();
  notifications.show({ message, closeButtonProps: { 'aria-label': 'Close' } });
}
