import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { isoTime } from './time.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const times = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });

test('a time looks the same from a column, from text and from JSON', async () => {
  await fc.assert(
    fc.asyncProperty(times, async (at) => {
      const { rows } = await sql<{ date: Date; text: string; json: { at: string } }>`
        select t.at as date, t.at::text as text, json_build_object('at', t.at) as json
        from (select ${at.toISOString()}::timestamptz(3) as at) t`.execute(service.context.db);
      const [row] = rows;
      if (!row) throw new Error('There is no row.');
      expect([row.date, row.text, row.json.at, at.getTime()].map(isoTime)).toEqual(Array(4).fill(at.toISOString()));
    }),
  );
});

test('a time is shown in UTC wherever its text comes from', () => {
  expect(isoTime('2026-11-20 11:30:00.5+02')).toBe('2026-11-20T09:30:00.500Z');
  expect(isoTime('2026-11-20T09:30:00+00:00')).toBe('2026-11-20T09:30:00.000Z');
  expect(isoTime(null)).toBe(null);
});
