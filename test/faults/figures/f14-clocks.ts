import { runCases } from '../cases.ts';
import type { Figure } from '../figure.ts';

const tests = ['test/faults/clocks.test.ts'];

export const clocks: Figure = {
  name: 'F14',
  title: 'the clock of one process is 5 min off, or jumps by an hour',
  target: '0 wrong verdicts: leases, rates, plans, signed URLs, sessions, keys, signatures',
  inShort: false,
  run: () => runCases(tests),
  control: () =>
    runCases(tests, {
      only: 'a lease that one gave',
      env: { SECOND_PROCESS: 'test/faults/broken/application-clock.ts' },
    }),
};
