import { expect, test } from 'vitest';
import { sayKept } from './kept-words.ts';

const now = Date.parse('2026-11-30T12:00:00Z');
const say = (kept_until: string | null, gone_at: string | null = null) => sayKept({ kept_until, gone_at }, now);

test('within a week files leave, later they are kept, and once they are gone it says since when', () => {
  expect(say('2027-02-22T12:00:00Z')).toEqual({ words: expect.stringMatching(/^Kept until .*22/), isSoon: false });
  expect(say('2026-12-07T12:00:00Z')).toEqual({ words: expect.stringMatching(/^Leaves on .*7/), isSoon: true });
  expect(say('2026-12-07T12:00:01Z')?.isSoon).toBe(false);
  expect(say(null, '2026-11-03T12:00:00Z')?.words).toMatch(/^No longer kept since .*3/);
  expect(say(null)).toBeNull();
});
