import { expect, test } from 'vitest';
import { keepPlace, nextPlace, withChosen } from './chosen-order.ts';

test('files whose uploads end in any order stand as they were chosen, after what was there', () => {
  for (const id of ['first', 'second', 'third']) keepPlace(id, nextPlace());
  const one = withChosen(['before'], 'third');
  const two = withChosen(one, 'first');
  expect(withChosen(two, 'second')).toEqual(['before', 'first', 'second', 'third']);
});

test('a file that was not chosen here stands last', () => {
  keepPlace('here', nextPlace());
  expect(withChosen(['here'], 'from elsewhere')).toEqual(['here', 'from elsewhere']);
});
