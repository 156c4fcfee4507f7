/** Elements of an SVG that a `use` draws again. A filter takes as long as a hundred of them. */
const mostRepeated = 10_000;
const filterCosts = 100;
const tag = /<(\/?)([^\s<>"'/=]+)(?=[\s/>])((?:[^<>"']|"[^<"]*"|'[^<']*')*)>/g;

/** What drawing an element with an id costs, without its children that have an id and without each `use`. */
type Part = { own: number; within: string[]; all?: number };

/** Few bytes would draw for longer than the limit. What this does not see, the limit ends. */
export function refuseHeavy(svg: string): void {
  const root: Part = { own: 0, within: [] };
  const parts = new Map([['', root]]);
  const open = [root];
  let elements = 0;
  for (const [, end, name = '', attributes = ''] of svg.matchAll(tag)) {
    if (end) {
      if (open.length > 1) open.pop();
      continue;
    }
    let part = open.at(-1) ?? root;
    const id = /\sid\s*=\s*["']([^"']*)/.exec(attributes)?.[1];
    if (id !== undefined && !parts.has(id)) {
      part.within.push(id);
      parts.set(id, (part = { own: 0, within: [] }));
    }
    elements += 1;
    part.own += /\bfilter\s*[=:]/.test(attributes) ? 1 + filterCosts : 1;
    const used = /(?:^|:)use$/.test(name) && /href\s*=\s*["']#([^"']*)/.exec(attributes)?.[1];
    if (used) part.within.push(used);
    if (!attributes.endsWith('/')) open.push(part);
  }
  if (costOf(root, parts) - elements > mostRepeated) throw new Error('The SVG would take too long to draw.');
}

/** A part that uses itself is not drawn within itself. */
function costOf(part: Part | undefined, parts: ReadonlyMap<string, Part>): number {
  if (!part) return 0;
  if (part.all !== undefined) return part.all;
  part.all = 0;
  return (part.all = part.within.reduce((sum, id) => sum + costOf(parts.get(id), parts), part.own));
}
