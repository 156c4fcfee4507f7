/** What each release says of itself, for `/desk/health`: `contract/released/<version>.release.json`. */
type Sources = {
  version: string;
  /** The whole CHANGELOG. */
  changelog: string;
  /** The versions of earlier releases: the newest of them may go to this one directly. */
  released: readonly string[];
  node: number;
  postgres: { oldest: number; newest: number };
  migrations: readonly string[];
};

export function releaseFile({ version, changelog, released, node, postgres, migrations }: Sources): object {
  const [heading = '', section = ''] = sectionOf(changelog, version);
  return {
    format: 1,
    version,
    released_at: /\((.+)\)/.exec(heading)?.[1] ?? '',
    upgrade_from: released.toSorted(byNumbers).findLast((each) => byNumbers(each, version) < 0) ?? version,
    node,
    postgres,
    migrations,
    what_to_do: whatToDo(section),
  };
}

const { compare: byNumbers } = new Intl.Collator('en', { numeric: true });

function sectionOf(changelog: string, version: string): string[] {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((each) => each.startsWith(`${version} (`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version} (…)".`);
  const end = section.indexOf('\n');
  return [section.slice(0, end), section.slice(end + 1)];
}

/** The paragraph that begins with "What to do", and the list below it. */
function whatToDo(section: string): string[] {
  const blocks = section.split(/\n{2,}/).map((block) => block.trim());
  const at = blocks.findIndex((block) => block.startsWith('**What to do.**'));
  if (at < 0) return [];
  const list = blocks[at + 1]?.startsWith('- ') ? (blocks[at + 1]?.split(/^- /m).slice(1) ?? []) : [];
  return [blocks[at]?.replace('**What to do.**', '') ?? '', ...list].map(plain);
}

/** Without the marks of Markdown, because it is shown as text. */
const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/`|\*\*/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
