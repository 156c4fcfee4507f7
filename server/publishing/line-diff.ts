import { catalogVersionBounds } from '../../contract/desk/catalog-version-bounds.ts';
import type { DocumentChange } from '../../contract/desk/catalog-versions.ts';

type Line = DocumentChange['lines'][number];

/** Unchanged lines that are shown around a change. */
const around = 3;
/** Larger tables would take long: what is between the first and the last change is then shown as replaced. */
const largestTable = 4_000_000;

/** The first lines that changed, with those around them. */
export function lineDiff(before: string, after: string): Line[] {
  const lines = wholeDiff(linesOf(before), linesOf(after));
  const near = new Set<number>();
  for (const [at, { kind }] of lines.entries())
    if (kind !== 'same') for (let i = at - around; i <= at + around; i += 1) near.add(i);
  return lines.filter((_, at) => near.has(at)).slice(0, catalogVersionBounds.shownLines);
}

const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

function wholeDiff(before: string[], after: string[]): Line[] {
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const [a, b] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const kinds = [...Array<'same'>(start).fill('same'), ...kindsOf(a, b), ...Array<'same'>(end).fill('same')];
  let [i, j] = [0, 0];
  return kinds.map((kind) => {
    const text = (kind === 'added' ? after[j] : before[i]) ?? '';
    return {
      kind,
      before: kind === 'added' ? null : (i += 1),
      after: kind === 'removed' ? null : (j += 1),
      text,
    };
  });
}

/** By the longest common subsequence; of equal choices, what is removed comes first. */
function kindsOf(a: string[], b: string[]): Line['kind'][] {
  const replaced = [...a.map(() => 'removed' as const), ...b.map(() => 'added' as const)];
  const width = b.length + 1;
  if ((a.length + 1) * width > largestTable) return replaced;
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const kinds: Line['kind'][] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const kind =
      i < a.length && a[i] === b[j]
        ? 'same'
        : i < a.length && at(i + 1, j) >= at(i, j + 1)
          ? 'removed'
          : j < b.length
            ? 'added'
            : 'removed';
    kinds.push(kind);
    if (kind !== 'added') i += 1;
    if (kind !== 'removed') j += 1;
  }
  return kinds;
}
