import { makeDay } from './pictured-day.ts';
import { measure, mostShift, phonePages } from './slow-phone.ts';
import { expect, test } from './stage.ts';

test('no page moves under the reader, on a slow phone and a poor line', async ({ browser, service }) => {
  test.setTimeout(600_000);
  const shifts: Record<string, string[]> = {};
  for (const [path, person] of await phonePages(service, await makeDay(service))) {
    const { cls, moved } = await measure(browser, service, person, path, 'poor');
    if (cls > mostShift) shifts[`${cls.toFixed(3)} ${path} ${person?.name ?? ''}`] = moved;
  }
  expect(shifts).toEqual({});
});
