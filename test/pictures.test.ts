import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const days = 7;
const pages = ['web/customer', 'web/desk', 'web/ui', ':(exclude)*.test.*'];

/** Seconds since 1970 of the newest commit that changed one of these. */
const changed = (paths: readonly string[]) =>
  Number(execFileSync('git', ['log', '-1', '--format=%ct', '--', ...paths], { encoding: 'utf8' }));

test.each(['docs/job.webp', 'docs/desk.webp'])(
  '%s is at most a week older than the pages: `npm run pictures` makes it',
  (picture) => {
    expect(changed([picture]), 'date of its commit').toBeGreaterThan(changed(pages) - days * 86_400);
  },
);
