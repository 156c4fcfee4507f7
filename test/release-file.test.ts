import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { releaseFile } from '../scripts/release-file.ts';
import { readRelease } from '../web/desk/office/release.ts';

const changelog = `# Changelog

## Unreleased

## 0.10.0 (2027-02-01)

**What to do.** In production, see [the list](docs/list.md). A trial
needs nothing.

- Run \`npm run admin -- doctor\`
  first.
- **Restart** all.

For programs that call the service:

- Nothing.

## 0.9.0 (2027-01-01)

- No steps.
`;
const sources = {
  changelog,
  released: ['0.10.0', '0.9.0', '0.2.0', '0.1.0'],
  node: 24,
  postgres: { oldest: 15, newest: 18 },
  migrations: ['0001_a', '0002_b'],
};

test('the file of a release, which the page of the desk reads', () => {
  const file = releaseFile({ ...sources, version: '0.10.0' });
  expect(file).toEqual({
    format: 1,
    version: '0.10.0',
    released_at: '2027-02-01',
    upgrade_from: '0.9.0',
    node: 24,
    postgres: { oldest: 15, newest: 18 },
    migrations: ['0001_a', '0002_b'],
    what_to_do: [
      'In production, see the list. A trial needs nothing.',
      'Run npm run admin -- doctor first.',
      'Restart all.',
    ],
  });
  expect(readRelease(JSON.stringify(file))).toMatchObject({ version: '0.10.0' });
});

test('a release without steps, and one that the changelog does not name', () => {
  expect(releaseFile({ ...sources, version: '0.9.0' })).toMatchObject({ upgrade_from: '0.2.0', what_to_do: [] });
  expect(() => releaseFile({ ...sources, version: '0.11.0' })).toThrow('CHANGELOG.md has no section "## 0.11.0 (…)".');
});

test('the page reads every file that was released', () => {
  const folder = 'contract/released';
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.release.json')))
    expect(readRelease(readFileSync(`${folder}/${name}`, 'utf8')), name).toMatchObject({ version: name.slice(0, -13) });
});
