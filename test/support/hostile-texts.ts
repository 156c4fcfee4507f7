import fc from 'fast-check';

/** `k` in a piece becomes another word each time. */
type Hostile = { begin?: string; piece: string; end?: string };

/** What took a parser long, or may: each piece is repeated until the text is as large as it may be. */
const knownPieces: Record<string, Hostile> = {
  'keys of a map': { piece: 'k: 1\n' },
  'keys of a flow map': { begin: '{', piece: 'k: 1, ', end: '}' },
  'explicit keys': { piece: '? k\n: 1\n' },
  'members of a set': { begin: '!!set\n', piece: '? k\n' },
  'the same key': { piece: 'k1: 1\n' },
  'unknown fields': { begin: 'families:\n- a: 1\n', piece: '  k: 1\n' },
  'maps as keys': { piece: '? { a: k }\n: 1\n' },
  'open brackets': { piece: '[' },
  'open braces': { piece: '{' },
  'braces as keys': { begin: '{'.repeat(700), piece: '}' },
  'lists in lists': { piece: '- ' },
  'deep indentation': { piece: '  ', end: 'a: 1' },
  'wrong items': { begin: 'families:\n', piece: '- 1\n' },
  'wrong flow items': { begin: 'families: [', piece: '1,', end: ']' },
  'wrong days': { begin: 'holidays:\n', piece: '- k\n' },
  'wrong escapes': { begin: 'a: "', piece: '\\q', end: '"' },
  commas: { begin: '[', piece: ',', end: ']' },
  'blanks before a text': { begin: 'a: ', piece: ' ', end: 'text' },
  'blank lines': { piece: '\n', end: 'a: 1' },
  'lines of a text': { begin: 'a: b\n', piece: ' x\n' },
  'lines of a quoted text': { begin: 'a: "', piece: 'x\n ', end: '"' },
  'a long word': { begin: 'a: ', piece: 'x' },
  'a long key': { piece: 'x', end: ': 1' },
  'a long number': { begin: 'a: ', piece: '1' },
  anchors: { piece: '- &k x\n' },
  'anchors and aliases': { begin: '- &k0 x\n', piece: '- &k x\n- *k0\n' },
  aliases: { begin: '- &a x\n', piece: '- *a\n' },
  'merged maps': { begin: '%YAML 1.1\n---\na: &a { b: 1 }\n', piece: 'k: { <<: *a }\n' },
  tags: { piece: '- !k x\n' },
  'tag directives': { piece: '%TAG !k! x\n', end: '---\na' },
  documents: { piece: '---\na\n' },
  comments: { piece: '- x\n# x\n' },
  'keys of several lines': { piece: 'a\n b: 1\n' },
};

export const hostileNames = Object.keys(knownPieces);

const marks =
  '[,],{,},;,: ,:,- ,? ,&a ,*a,!!set ,!t ,",\',# ,|\n,>\n,\n,\n,\n  ,  , ,k,k,---\n,\\,\t,<<: ,@,`,\r,families:,1'
    .split(',')
    .map((mark) => mark.replace(';', ','));
const piece = fc.array(fc.constantFrom(...marks), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
const begin = fc.oneof(piece, fc.constantFrom('', 'families:\n- options:\n', 'a: "', 'a: |\n', '[', '{'));

/** Texts of any size, made of repeated marks. */
export const drawnTexts = fc.record({ begin, piece, end: piece });

export function textOf({ begin = '', piece, end = '' }: Hostile, characters: number): string {
  const pieces: string[] = [];
  for (let size = begin.length + end.length, i = 0; ; i += 1) {
    const next = piece.replaceAll('k', `k${i}`);
    if ((size += next.length) > characters) break;
    pieces.push(next);
  }
  return begin + pieces.join('') + end;
}

export const hostileText = (name: string, characters: number): string =>
  textOf(knownPieces[name] ?? { piece: name }, characters);
