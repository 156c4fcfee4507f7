import { expect, test } from 'vitest';
import type { Job } from '../../../client/generated/types.gen.ts';
import { whyNoRevision } from './why-no-revision.ts';

const whyNot = (used: number, included: number, allowed_actions: Job['allowed_actions'] = ['approve']) =>
  whyNoRevision({ allowed_actions, revisions: { used, included } } as Job);

test('why no changes can be asked for: none included, all used, or no active plan', () => {
  expect(whyNot(1, 2, ['approve', 'revision'])).toBeNull();
  expect(whyNot(0, 0)).toBe('This service includes no rounds of changes.');
  expect(whyNot(2, 2)).toBe('All rounds of changes are used.');
  expect(whyNot(1, 2)).toBe('Asking for changes needs an active plan.');
});
