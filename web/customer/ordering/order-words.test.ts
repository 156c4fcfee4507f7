import { expect, test } from 'vitest';
import type { Member } from '../../app/api.ts';
import { deciders, sayOrder } from './order-words.ts';

const member = (id: string, name: string, role: Member['role']): Member => ({
  id: `mem_${id}`,
  user: { id, name, email: `${id}@example.com` },
  role,
  orders: 'direct',
  created_at: '2026-11-01T00:00:00.000Z',
});

test('owners and admins decide, but never the maker', () => {
  const all = [member('a', 'Ada', 'owner'), member('n', 'Noor', 'admin'), member('m', 'Mateo', 'member')];
  expect(deciders(all, 'm')).toBe('Ada or Noor');
  expect(deciders(all, 'n')).toBe('Ada');
  expect(deciders([member('m', 'Mateo', 'member')], 'm')).toBe('an owner or admin');
});

test('each state of an order is said in one line', () => {
  const decided_by = { kind: 'user' as const, id: 'a', name: 'Ada' };
  const say = (status: Parameters<typeof sayOrder>[0]['status']) =>
    sayOrder({ status, lapses_at: '2026-12-02T12:00:00.000Z', decided_by }, 'Ada');
  expect(say('waiting')).toMatch(/^Waits for Ada until \S/);
  expect([say('confirmed'), say('declined')]).toEqual(['Ada confirmed it', 'Ada declined it']);
  expect([say('lapsed'), say('ended')]).toEqual(['Nobody confirmed it in time', 'It has ended']);
});
