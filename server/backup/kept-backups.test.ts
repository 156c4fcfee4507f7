import { expect, test } from 'vitest';
import { type Dated, namesToRemove } from './kept-backups.ts';

const day = 86_400_000;
const first = Date.UTC(2026, 0, 1, 3);
const backup = (time: number, verified = false): Dated => {
  const created_at = new Date(time).toISOString();
  return { name: created_at.slice(0, 16), created_at, verified };
};

/** Makes backups at these times, and removes after each what is to go. */
function keep(times: Iterable<number>, isVerified: (time: number) => boolean): Dated[] {
  let kept: Dated[] = [];
  for (const time of times) {
    const verified = kept.findLast((each) => each.verified)?.name;
    const made = backup(time);
    const gone = new Set(namesToRemove([...kept, made], made.created_at));
    expect(gone).not.toContain(made.name);
    if (verified !== undefined) expect(gone).not.toContain(verified);
    kept = [...kept, made].filter(({ name }) => !gone.has(name));
    expect(kept.length).toBeLessThanOrEqual(7 + 4 + 12 + 1);
    made.verified = isVerified(time);
  }
  return kept;
}

const everyDay = (days: number) => Array.from({ length: days }, (_, n) => first + n * day);
const dates = (kept: Dated[]) => kept.map(({ created_at }) => created_at.slice(0, 10));

test('after 400 days: 7 days, the Sundays of 4 weeks, the last days of 12 months', () => {
  expect(dates(keep(everyDay(400), () => false)).join(' ')).toBe(
    '2026-03-31 2026-04-30 2026-05-31 2026-06-30 2026-07-31 2026-08-31 2026-09-30 2026-10-31 2026-11-30 2026-12-31 ' +
      '2027-01-17 2027-01-24 2027-01-29 2027-01-30 2027-01-31 2027-02-01 2027-02-02 2027-02-03 2027-02-04',
  );
});

test.each([1, 8, 31, 97, 400])('the newest verified one stays, verified every %i days, through gaps', (every) => {
  const some = everyDay(800).filter(
    (time) => (time / day) % 11 < 8 && !(time > first + 300 * day && time < first + 360 * day),
  );
  keep(some, (time) => Math.floor((time - first) / day) % every === 0);
  keep(some, (time) => time === first);
});

test('after a gap of a year the old ones are still there: days without a backup do not count', () => {
  const old = dates(keep(everyDay(40), () => false));
  const again = dates(keep([...everyDay(40), first + 500 * day], () => false));
  // One day and one week give way to the new one.
  expect(again).toEqual([...old.filter((date) => !['2026-01-25', '2026-02-03'].includes(date)), '2027-05-16']);
});

test('of several a day the newest stays, and all of the last 24 hours', () => {
  const hours = [0, 2, 4, 30, 50].map((hour) => backup(first + hour * 3_600_000, hour === 2));
  const now = (hour: number) => new Date(first + hour * 3_600_000).toISOString();
  expect(namesToRemove(hours.slice(0, 3), now(5))).toEqual([]);
  expect(namesToRemove(hours, now(50))).toEqual([hours[0]!.name]);
});
