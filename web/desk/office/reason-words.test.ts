import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ignoredReasons } from '../../../contract/provider-events.ts';
import { needsLook, reasonWords } from './reason-words.ts';

test.each(['server/billing/list-provider-events.ts', 'migrations/0039_subscription_facts.sql'])(
  'an event needs a look at the desk where it does in %s',
  (file) => {
    const [, listed = ''] = /reason not in\s*\(([^)]+)\)/.exec(readFileSync(file, 'utf8')) ?? [];
    const harmless = [...listed.matchAll(/'([^']+)'/g)].map(([, reason]) => reason);
    expect(ignoredReasons.filter((reason) => !needsLook(reason)).toSorted()).toEqual(harmless.toSorted());
  },
);

test('a field that is not of the documented form is named, and needs a look', () => {
  const reason = '/data/object/status: not of the form that the provider documents';
  expect(reasonWords(reason).sentence).toBe(
    'The field /data/object/status is not of the form that the provider documents.',
  );
  expect(needsLook(reason)).toBe(true);
});
