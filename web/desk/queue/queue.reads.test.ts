import { expect, test } from 'vitest';
import { queueReads } from './queue.reads.ts';
import { isChanged, searchOf } from './tabs.ts';

const list = (search: Record<string, string>) => queueReads({ id: '', search }).jobs.input.query;

test('the queue opens with what is to do, as does an unknown tab', () => {
  const todo = { status: ['queued', 'accepted', 'running'], parked: false, sort: 'due', limit: 100 };
  expect(list({})).toEqual(todo);
  expect(list({ tab: 'unknown' })).toEqual(todo);
});

test('a tab is narrowed by service, holder and words', () => {
  const query = list({ tab: 'all', family: 'design', holder: 'none', q: 'logo' });
  expect(query).toEqual({ sort: 'newest', service_family: 'design', holder: 'none', q: 'logo', limit: 100 });
});

test('the selected row changes nothing that is read', () => {
  const read = (search: Record<string, string>) => JSON.stringify(queueReads({ id: '', search }));
  expect(read({ tab: 'mine', job: 'job_1', peek: 'off' })).toBe(read({ tab: 'mine' }));
});

test('a saved view stands in place of a tab, and reads again what it was saved with', () => {
  const filter = {
    status: ['completed', 'rejected'] as ('completed' | 'rejected')[],
    service_family: 'design',
    account_id: 'acct_1',
    parked: false,
    ended_from: '2026-11-01',
    ended_to: '2026-11-30',
    q: 'harbour 200',
    sort: 'newest' as const,
  };
  expect(list(searchOf('view_1', filter) as Record<string, string>)).toEqual({ ...filter, limit: 100 });
});

test('the address of a view is told from one with another filter', () => {
  const view = { id: 'view_1', filter: { sort: 'due' as const, parked: false, holder: 'none' } };
  const shown = searchOf(view.id, view.filter);
  expect(isChanged({ ...shown, job: 'job_1', peek: 'off' }, view)).toBe(false);
  expect(isChanged({ ...shown, holder: 'me' }, view)).toBe(true);
  expect(isChanged({ ...shown, parked: undefined }, view)).toBe(true);
});
