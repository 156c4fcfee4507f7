/** Between the marks of lists, tables, headings, quotes and JSON. */
const core = /[^\s*_`~"'“”‘’>|:=;,.!?…•()[\]}–—-](?:[^]*[^\s*_`~"'“”‘’>|:=;,.!?…•()[\]}–—-])?/u;
export const strip = (text: string): string => core.exec(text)?.[0] ?? '';

const opening: Record<string, string> = { ')': '(', ']': '[', '}': '{', '"': '"', '”': '“', '’': '‘' };
const hasOpen = (text: string, mark: string): boolean =>
  mark === '"' ? text.includes(mark) : text.split(opening[mark]!).length > text.split(mark).length;

/** Whether the mark before the words belongs to them: "(a) price, (b) size", "~500 words". */
function opens(before: string, words: string): boolean {
  if (/(?<!~)~$/u.test(before) && /^\d/u.test(words)) return true;
  return Object.entries(opening).some(
    ([close, open]) =>
      before.endsWith(open) && words.includes(close) && words.split(open)[0]!.length >= words.indexOf(close),
  );
}

/** Like `strip`, but for the marks that belong to the words: "red (#f00)", "why?", "say “hello”". */
export function trimmed(text: string): string {
  const stripped = strip(text);
  const start = text.indexOf(stripped);
  const words = opens(text.slice(0, start), stripped) ? text[start - 1]! + stripped : stripped;
  const [closing = ''] = /^[?!)\]"”’]{1,3}/u.exec(text.slice(start + stripped.length)) ?? [];
  const belongs = [...closing].every((mark) => mark === '?' || mark === '!' || hasOpen(words, mark));
  return words !== '' && belongs ? words + closing : words;
}
