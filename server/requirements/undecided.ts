const later =
  '(?:decided|determined|confirmed|announced|defined|discussed|agreed|provided|advised|supplied|specified|chosen|completed)';
/** Phrases for "to be decided", in a sentence or as a whole answer. */
const undecided = [
  'tb[acd]',
  'n ?/ ?a',
  `(?:still )?to be ${later}`,
  `(?:will|has to|needs to) be (?:${later}|${later} later)`,
  `(?:(?:i|we) )?(?:have not|haven['’]?t) (?:yet )?${later}`,
  '(?:still |currently |as yet )?(?:unknown|undecided|undetermined|unclear|unsure|unspecified)',
  `(?:(?:i am|i['’]m|we are|we['’]re|still|it is|is) ){0,2}not (?:yet )?(?:quite )?(?:sure|known|clear|available|${later})`,
  '(?:i have |we have )?no idea',
];
const placeholders = [
  "(?:(?:i|we) )?(?:really )?(?:do not|don['’]?t) know",
  `${later} later`,
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
const placeholder = new RegExp(`^(?:${[...undecided, ...placeholders].join('|')})${tail}$`, 'iu');

const wrapping = /[\s*_`~"'“”‘’>|:=;,.!?…•()[\]}–—-]/u;

/** Removes the marks of lists, tables, headings, quotes and JSON. */
export function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && wrapping.test(text[start]!)) start += 1;
  while (end > start && wrapping.test(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}

/** "TBD", "n/a", "?", "none yet", "not sure, ask our lawyer" and "<audience>" say nothing. */
export const isAnswer = (text: string): boolean =>
  /[\p{L}\p{N}\p{So}\p{Sc}]/u.test(text) &&
  (text.length > 80 ||
    !(placeholder.test(text) || text.split(/, | - | – |; /u).every((part) => placeholder.test(part))));

const putOff = [
  ...undecided,
  // "Home cooks who do not know where to begin" is an answer.
  "(?<!\\b(?:who|that|they|people|which|and) )(?:do not|don['’]?t) (?:really )?know",
  `(?:have not|haven['’]?t|has not|hasn['’]?t|did not|didn['’]?t|nobody has|never) (?:(?:yet|really|quite|even) ){0,2}(?:decided|agreed|discussed|chosen|settled|thought|figured|worked out)`,
  '(?:still|yet) (?:have to |to |being |need to ){0,2}(?:agree|argu|debat|decid|think|discuss|choos|figur|settl|work out)\\p{L}{0,3}',
  "(?:can['’]?t|cannot|could not|couldn['’]?t|hard to) (?:really |quite |yet )?(?:say|decide|agree)",
  'up in the air|you (?:tell me|decide|choose)|no clue|open to (?:ideas|suggestions)|need (?:your )?advice',
];
const isPutOff = new RegExp(`(?<![\\p{L}\\p{N}])(?:${putOff.join('|')})(?![\\p{L}\\p{N}])`, 'iu');

/** "Could you write 800 words?" is an order; "Could you suggest an audience?" is a question. */
const advice = 'suggest|recommend|advise|tell|say|help|think|know|explain|show me';
const asking = `(?:how|what|what['’]s|which|who|whom|when|where|why|is|are|was|do|does|did|should|will|may|shall|am|have|has|any|(?:can|could|would) \\p{L}{1,10} (?:please |maybe |perhaps |also )?(?:${advice}))`;
const asks = new RegExp(
  `(?:^\\P{L}{0,3}|[,;:–—(-] ?|\\b(?:and|but|so|or|also|then|hi|hello) )${asking}(?![\\p{L}\\p{N}])`,
  'iu',
);

/** Whether a sentence is a question or leaves something open. "800 words, maybe?" does neither. */
export const isOpen = (sentence: string): boolean =>
  isPutOff.test(sentence) || (sentence.endsWith('?') && asks.test(sentence));
