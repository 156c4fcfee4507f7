/** What a release says of itself: the file beside its OpenAPI document. */
export type Release = {
  version: string;
  released_at: string;
  upgrade_from: string;
  node: number;
  postgres: { oldest: number; newest: number };
  migrations: string[];
  what_to_do: string[];
};

type Here = { version: string; node: string; postgres: string; newest_migration: string };
export type Verdict = { status: 'ok' | 'warn' | 'fail'; sentence: string };

const isVersion = (value: unknown) => /^\d+\.\d+\.\d+$/.test(String(value));
const areTexts = (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === 'string');
const isRelease = (release: Partial<Release>): release is Release =>
  isVersion(release.version) &&
  isVersion(release.upgrade_from) &&
  typeof release.released_at === 'string' &&
  [release.node, release.postgres?.oldest, release.postgres?.newest].every(Number.isInteger) &&
  areTexts(release.migrations) &&
  areTexts(release.what_to_do);

/** A sentence if the text is none. */
export function readRelease(text: string): Release | string {
  let value: ({ format?: unknown } & Partial<Release>) | null;
  try {
    value = JSON.parse(text);
  } catch {
    return 'The file is not JSON. Choose the one that ends in .release.json.';
  }
  if (Number(value?.format) > 1) return 'The file is of a later format than this version reads.';
  if (value?.format === 1 && isRelease(value)) return value;
  return 'The file is not that of a release. Choose the one that ends in .release.json.';
}

/** Below 0 if the first is older. */
const { compare: apart } = new Intl.Collator('en', { numeric: true });

export function compareRelease(release: Release, here: Here): Verdict[] {
  const isNewer = apart(release.version, here.version) > 0;
  const needs = isNewer ? [migrationsOf(release, here), nodeOf(release, here), postgresOf(release, here)] : [];
  return [wayTo(release, here), ...needs];
}

const ok = (sentence: string): Verdict => ({ status: 'ok', sentence });
const warn = (sentence: string): Verdict => ({ status: 'warn', sentence });
const fail = (sentence: string): Verdict => ({ status: 'fail', sentence });

function wayTo({ version, upgrade_from: from }: Release, here: Here): Verdict {
  if (version === here.version) return ok(`${version} is the version that runs here.`);
  if (apart(version, here.version) < 0)
    return fail(`${version} is older than ${here.version}, which runs here. There is no way back.`);
  if (apart(here.version, from) < 0)
    return fail(`Go to ${from} first: ${here.version} cannot go to ${version} directly.`);
  return ok(`${here.version} may go to ${version} directly.`);
}

function migrationsOf({ migrations }: Release, { newest_migration: newest }: Here): Verdict {
  if (!migrations.includes(newest)) return fail(`It does not know ${newest}, which this database has.`);
  const count = migrations.filter((name) => name > newest).length;
  return ok(count === 1 ? 'It adds 1 migration.' : `It adds ${count} migrations.`);
}

const nodeOf = ({ node }: Release, here: Here): Verdict =>
  Number.parseInt(here.node, 10) === node
    ? ok(`It runs on Node ${node}, as here.`)
    : warn(`It needs Node ${node}, and ${here.node} runs here. Its image brings its own.`);

function postgresOf({ postgres: { oldest, newest } }: Release, here: Here): Verdict {
  const major = Number.parseInt(here.postgres, 10);
  const words = `It is made for Postgres ${oldest} to ${newest}, and ${here.postgres} runs here`;
  if (major < oldest) return fail(`${words}: upgrade Postgres first.`);
  return major > newest ? warn(`${words}: nobody has tried that.`) : ok(`${words}.`);
}
