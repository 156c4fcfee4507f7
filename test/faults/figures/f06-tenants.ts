import { runCases } from '../cases.ts';
import type { Figure } from '../figure.ts';

const tests = ['test/sweeps/tenants.test.ts'];

export const tenants: Figure = {
  name: 'F6',
  title: 'every route with the ids of another account, by seven kinds of strangers',
  target: '0 leaks: each answer is that for an unknown id, and nothing of the other account changes',
  inShort: false,
  cases: ['test/sweeps/portable-statements.test.ts'],
  run: () => runCases(tests),
  control: () =>
    runCases(tests, {
      only: '/api/v1/templates/',
      env: { NODE_OPTIONS: `--import ${import.meta.dirname}/../broken/no-account-filter.ts` },
    }),
};
