import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ignoredReasons, settledReasons } from '../../../contract/desk/provider-events.ts';
import { needsLook, reasonWords } from './reason-words.ts';

test('an event needs a look at the desk where it does in the list of events and in its index', () => {
  const migration = readFileSync('migrations/0039_subscription_facts.sql', 'utf8');
  const [, listed = ''] = /reason not in\s*\(([^)]+)\)/.exec(migration) ?? [];
  const indexed = [...listed.matchAll(/'([^']+)'/g)].map(([, reason]) => reason);
  expect(indexed.toSorted()).toEqual(settledReasons.toSorted());
  expect(ignoredReasons.filter((reason) => !needsLook(reason)).toSorted()).toEqual(settledReasons.toSorted());
});

test('a field that is not of the documented form is named, and needs a look', () => {
  const reason = '/data/object/status: not of the form that the provider documents';
  expect(reasonWords(reason).sentence).toBe(
    'The field /data/object/status is not of the form that the provider documents.',
  );
  expect(needsLook(reason)).toBe(true);
});
