import { undecided } from './answer.ts';

const settled =
  '(?:decided|determined|defined|discussed|agreed|chosen|picked|settled|thought|figured|worked out|made up our minds|looked into|talked about|checked|counted)';
const putOff = [
  ...undecided,
  // "Home cooks who do not know where to begin" are known.
  "(?<!\\b(?:who|that|they|people|which|and) )(?:do not|don['’]?t) (?:really )?know",
  `(?:have not|haven['’]?t|has not|hasn['’]?t|had not|hadn['’]?t|did not|didn['’]?t|nobody has|no one has|never) (?:(?:yet|really|quite|even|fully) ){0,2}${settled}`,
  '(?:still|yet) (?:have to |to |being |need to ){0,2}(?:agree|argu|debat|decid|think|discuss|choos|figur|settl|work out)\\p{L}{0,3}',
  "(?:can['’]?t|cannot|could not|couldn['’]?t|hard to) (?:really |quite |yet )?(?:say|decide|agree)",
  'up in the air|you (?:tell me|decide|choose)|no clue|open to (?:ideas|suggestions)|nobody knows|need (?:your )?advice',
];
const open = new RegExp(`(?<![\\p{L}\\p{N}])(?:${putOff.join('|')})(?![\\p{L}\\p{N}])`, 'iu');

/** "Could you write 800 words for home bakers?" orders and "Could it feel warm?" wishes; "Could you suggest an audience?" asks. */
const advice = 'suggest|recommend|advise|tell|say|help|think|know|explain|show me';
const asking = `(?:how|what|what['’]s|which|who|whom|when|where|why|is|are|was|do|does|did|should|will|may|shall|am|have|has|any|(?:can|could|would) \\p{L}{1,10} (?:please |maybe |perhaps |also )?(?:${advice}))`;
const asks = new RegExp(
  `(?:^\\P{L}{0,3}|[,;:–—(-] ?|\\b(?:and|but|so|or|also|then|hi|hello) )${asking}(?![\\p{L}\\p{N}])`,
  'iu',
);

/** Whether a sentence asks, or says that something is still to be decided. "800 words, maybe?" does neither. */
export const isOpen = (sentence: string): boolean =>
  open.test(sentence) || (sentence.endsWith('?') && asks.test(sentence));
