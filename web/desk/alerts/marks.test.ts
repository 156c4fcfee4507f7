import { expect, test } from 'vitest';
import type { Alert } from '../../app/api.ts';
import { afterRead } from './marks.ts';

const alert = (job_id: string, raised_at = '2026-01-01T12:00:00.000Z'): Alert => ({
  kind: 'overdue',
  raised_at,
  job_id,
  customer_title: 'Logo',
  account: { id: 'acct_1', name: 'Rise Bakery' },
});
const read_until = '2026-01-01T12:00:00.000Z';

test('an alert is told once, again when it happens again, and stays unseen until a tab shows it', () => {
  const first = afterRead(null, { alerts: [alert('job_1')], read_until }, 1);
  expect(first.fresh).toEqual([alert('job_1')]);
  const later = [alert('job_1', '2026-01-01T13:00:00.000Z'), alert('job_1'), alert('job_2')];
  const second = afterRead(first.marks, { alerts: later, read_until }, 2);
  expect(second.fresh).toEqual([later[0], later[2]]);
  expect(second.marks.unseen).toEqual([later[0], later[2], alert('job_1')]);
  expect(afterRead(second.marks, { alerts: later, read_until }, 3).fresh).toEqual([]);
});

test('what was told is forgotten after some days', () => {
  const { marks } = afterRead(null, { alerts: [alert('job_1')], read_until }, 1);
  expect(afterRead(marks, { alerts: [], read_until }, 3 * 86_400_000).marks.announced).toEqual({});
});
