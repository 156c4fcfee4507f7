/** With or without a comma behind, or only with one: "no logo yet" begins with no correction. */
const corrections =
  'actually|sorry|wait|oops|scratch that|i meant|i mean|in fact|on second thought|(?:no|nope|rather|instead|correction|my mistake)(?=[,.:;!–—-]| wait| sorry| actually)';
const additions = 'also|(?:plus|in addition)(?=,)';
const fillers =
  '(?:oh|ok|okay|and|but|hmm?|uh|um)(?= |,|$)|(?:well|so|then|yes|yep|sure|right|great|fine|hi|hello|hey|hi there|thanks|thank you|please note|by the way)(?=[,.:;!–—-])';
const lead = new RegExp(`^(?:(${corrections})|(${additions})|${fillers})(?:[ ,.:;!…–—-]+|$)`, 'iu');

/** A sentence without the small words in front of it, and what they say: that it corrects, or that it adds. */
export type Said = { sentence: string; core: string; corrects: boolean; adds: boolean };

export function withoutLead(sentence: string): Said {
  let core = sentence;
  let corrects = false;
  let adds = /\b(?:as well|too)[.!]?$/iu.test(sentence);
  for (let found = lead.exec(core); found && core !== ''; found = lead.exec(core)) {
    corrects ||= found[1] !== undefined;
    adds ||= found[2] !== undefined;
    core = core.slice(found[0].length);
  }
  return { sentence, core, corrects: corrects || /\binstead\b/iu.test(core), adds };
}

const asking =
  /^(?:how|what|when|which|who|why|where|(?:how|what|when|who|where)['’]s|do|does|did|can|could|is|are|will|would|should|may|shall|am|have|has) /iu;
const marked = /\?["”'’)]*$/u;

/** Whether a sentence may ask something of the concierge, with its mark or without: "how long does it take". */
export const mayAsk = (sentence: string): boolean => asking.test(sentence) || marked.test(sentence);

/** "Can you draw families?" is a question; "families, maybe?" and "why bread keeps" are answers. */
export const isQuestion = (sentence: string): boolean => asking.test(sentence) && marked.test(sentence);

const number =
  '(?:\\d[\\d.,]{0,9}k?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|fifty|a hundred|a dozen|a thousand)';
const count = new RegExp(
  `^(?:(?:let's say|let us say|i'd say|make it|make that|say|maybe|about|around|roughly|circa|approximately|only|just|at most|at least|up to|a maximum of|no more than) ){0,3}${number}(?: ?(?:-|–|to|or) ?${number})?[ -]\\p{L}{2,20}(?: (?:please|then|max|maximum|at most|at least|or so|in total|is enough|would do|will do|should do|each))?[.!]?$`,
  'iu',
);

/** A count with its unit and nothing else: "about 800 words", "let's say four pages". */
export const isCount = (sentence: string): boolean => count.test(sentence.replaceAll('’', "'"));

const day =
  '(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|today|(?:next|this) (?:week|month|weekend|year)|(?:the )?end of (?:the |this |next )?[a-z]{3,10}|(?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:january|february|march|april|may|june|july|august|september|october|november|december)|(?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \\d{1,2}(?:st|nd|rd|th)?)?|\\d{4}-\\d\\d-\\d\\d|\\d{1,2}[./]\\d{1,2}(?:[./]\\d{2,4})?|christmas|easter';
const deadlines = [
  /\b(?:deadline|due date)(?!(?: (?:is|was|has|will|would|should|be|now|rather|actually|all|still|completely)){0,3} (?:wrong|not|missing|incorrect|isn['’]t|wasn['’]t)\b)(?: (?:is|will be|would be|should be|has moved to|moved to|to)| ?[:=])? (?:now |rather |actually )?(.{2,80})$/iu,
  new RegExp(
    `\\b(?:need|needed|needs|want|have|ready|done|finished|delivered|deliver|due|get)\\b[^.?!]{0,40}\\b(?:by|before|until|on|no later than) ((?:next |this )?(?:${day}).{0,20})$`,
    'iu',
  ),
];

const onlyDay = new RegExp(
  `^(?:(?:by|until|before|on|for|due|no later than|not later than) )?((?:(?:next|this) )?(?:${day})|asap|as soon as possible)(?: (?:please|at the latest|latest|if possible))?[.!]?$`,
  'iu',
);

/** "By Friday", "friday please": a day and nothing else. */
export const dayIn = (sentence: string): string | null => onlyDay.exec(sentence)?.[1] ?? null;

/** When the customer says that the work is needed. */
export function deadlineIn(sentence: string): string | null {
  for (const pattern of deadlines) {
    const found = pattern.exec(sentence)?.[1];
    if (found) return found.replace(/(?<![\s.!,;])[\s.!,;]+$/u, '');
  }
  return null;
}
