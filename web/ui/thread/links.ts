type Part = { text: string; href: string | null };

const address = /https?:\/\/[^\s<>"“”«»‘’]+/giu;
/** What ends a sentence does not belong to the address before it, nor a bracket that was opened before. */
const ending = /[.,;:!?…'*_~]+$/u;

/** Only whole addresses of the web. Nothing is left out: joined, the parts are the text. */
export function textAndLinks(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const { 0: candidate, index } of text.matchAll(address)) {
    const shown = withoutEnding(candidate);
    const href = URL.canParse(shown) ? shown : null;
    if (href === null) continue;
    if (index > from) parts.push({ text: text.slice(from, index), href: null });
    parts.push({ text: shown, href });
    from = index + shown.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), href: null });
  return parts;
}

function withoutEnding(candidate: string): string {
  const shown = candidate.replace(ending, '');
  const opens = shown.split('(').length;
  return shown.endsWith(')') && shown.split(')').length > opens ? withoutEnding(shown.slice(0, -1)) : shown;
}
