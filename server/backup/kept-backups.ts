export type Dated = { name: string; created_at: string; verified: boolean };

const day = 86_400_000;
const dayOf = ({ created_at }: Dated) => Math.floor(Date.parse(created_at) / day);

/** How many days, weeks from Monday, and months keep their newest backup. All in UTC. */
const spans: [kept: number, of: (backup: Dated) => number | string][] = [
  [7, dayOf],
  [4, (backup) => Math.floor((dayOf(backup) + 3) / 7)],
  [12, ({ created_at }) => created_at.slice(0, 7)],
];

/** The names to remove. What was made in the last 24 hours stays: it may just be verified. */
export function namesToRemove(backups: readonly Dated[], now: string): string[] {
  const newestFirst = backups.toSorted((left, right) => Date.parse(right.created_at) - Date.parse(left.created_at));
  const isRecent = ({ created_at }: Dated) => Date.parse(now) - Date.parse(created_at) < day;
  const stays = new Set([...newestFirst.filter(isRecent), newestFirst.find(({ verified }) => verified)]);
  for (const [most, of] of spans)
    for (const [newest] of [...Map.groupBy(newestFirst, of).values()].slice(0, most)) stays.add(newest);
  return newestFirst.filter((backup) => !stays.has(backup)).map(({ name }) => name);
}
