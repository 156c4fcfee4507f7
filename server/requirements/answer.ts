const later =
  '(?:decided|determined|confirmed|announced|defined|discussed|agreed|provided|advised|supplied|specified|chosen|completed)';
/** What says of anything that it is still to be decided. */
export const undecided = [
  'tb[acd]',
  'n ?/ ?a',
  `(?:still )?to be ${later}`,
  '(?:will|has to|needs to) be (?:decided|determined|confirmed|announced|discussed|agreed)',
  `(?:(?:i|we) )?(?:have not|haven['’]?t) (?:yet )?${later}`,
  '(?:still |currently |as yet )?(?:unknown|undecided|undetermined|unclear|unsure|unspecified)',
  `(?:(?:i am|i['’]m|we are|we['’]re|still|it is|is) ){0,2}not (?:yet )?(?:quite )?(?:sure|known|clear|available|${later})`,
  '(?:i have |we have )?no idea',
];
const blank = [
  "(?:(?:i|we) )?(?:really )?(?:do not|don['’]?t) know",
  'n\\.a',
  'na|idk|not applicable|no answer|none yet|not yet|nothing yet|pending|later|to follow|will follow|coming soon',
  'todo|to do|to-do|x{2,80}|null|undefined|placeholder|lorem ipsum.{0,60}',
  '(?:insert|enter|add|type|put|fill in).{0,40} here|your .{1,40} here',
  "(?:i will|i['’]ll|we will|we['’]ll|will) (?:tell|send|let|provide|decide|share|confirm)\\b.{0,30}",
  '(?:(?:i|we) )?(?:will|have to|need to|must) (?:still )?think (?:about|over) (?:it|that|this)',
  '(?:(?:i|we) )?(?:have )?never (?:really |even )?(?:discussed|decided|talked about|thought about) (?:it|that|this)',
  '(?:please |better )?ask (?:me later|(?:my|our|the) \\p{L}{2,20})',
  '<[^<>]{0,80}>?|\\{\\{[^{}]{0,80}',
];
const tail =
  '(?: (?:yet|for now|at the moment|right now|at this (?:point|time|stage)|currently|so far|later|soon|tbh|honestly|to be honest))?(?: \\(.{0,60})?';
const placeholder = new RegExp(`^(?:${[...undecided, ...blank].join('|')})${tail}$`, 'iu');

const wrapping = /[\s*_`~"'“”‘’>|:=;,.!?…•()[\]}–—-]/u;

/** Without the marks of lists, tables, headings, quotes and JSON around it. */
export function bare(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && wrapping.test(text[start]!)) start += 1;
  while (end > start && wrapping.test(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}

/** Whether a bare text says something: "TBD", "n/a", "?", "none yet", "not sure, ask our lawyer", "<audience>" do not. */
export const isAnswer = (text: string): boolean =>
  /[\p{L}\p{N}\p{So}\p{Sc}]/u.test(text) &&
  (text.length > 80 ||
    !(placeholder.test(text) || text.split(/, | - | – |; /u).every((part) => placeholder.test(part))));
