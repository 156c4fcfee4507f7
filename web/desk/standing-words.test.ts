import { expect, test } from 'vitest';
import { sayOrders, sayStanding, type Standing } from './standing-words.ts';

const say = (state: Standing['state'], since: string | null, until: string | null) =>
  sayStanding({ state, since, access_until: until }, (time) => time);

test.each([
  ['Payment overdue since 21 Nov, can order until 8 Dec', say('overdue', '21 Nov', '8 Dec')],
  ['Not paid since 21 Nov, cannot order', say('not_paid', '21 Nov', null)],
  ['Collection paused, can order until 8 Dec', say('collection_paused', null, '8 Dec')],
  ['Paused since 21 Nov', say('paused', '21 Nov', null)],
  ['No plan since 21 Nov', say('ended', '21 Nov', null)],
  ['No plan', say('ended', null, null)],
  ['Ends on 8 Dec', say('ends', null, '8 Dec')],
])('%s', (words, said) => {
  expect(said).toBe(words);
});

test('a list says of each plan whether it can order', () => {
  expect(sayOrders({ state: 'paused', since: null, access_until: null }, String)).toBe('cannot order');
});
