/** "1h 30m", "45m", "26h": days of work have no 24 hours. */
export function sayMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return [hours > 0 && `${hours}h`, (minutes % 60 > 0 || hours === 0) && `${minutes % 60}m`].filter(Boolean).join(' ');
}
