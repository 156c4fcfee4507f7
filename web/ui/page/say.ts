/** Says what was done, in a corner of the page. What shows it is fetched only now: the first paint does not need it. */
export function say(message: string): void {
  void import('@mantine/notifications').then(({ notifications }) => notifications.show({ message }));
}
