import { bare, isAnswer } from '../catalog/answer.ts';

/** With or without a comma behind, or only with one: "no logo yet" begins with no correction. */
const corrections =
  'actually|sorry|wait|oops|scratch that|i meant|i mean|in fact|on second thought|(?:no|nope|rather|instead|correction|my mistake)(?=[,.:;!–—-]| wait| sorry| actually)';
const additions = 'also|(?:plus|in addition)(?=,)';
const fillers =
  '(?:oh|ok|okay|and|but|hmm?|uh|um)(?= |,|$)|(?:well|so|then|yes|yep|sure|right|great|fine|hi|hello|hey|hi there|thanks|thank you|please note|by the way)(?=[,.:;!–—-])';
const lead = new RegExp(`^(?:(${corrections})|(${additions})|${fillers})(?:[ ,.:;!–—-]+|$)`, 'iu');

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

const skip =
  /^(?:please )?(?:skip(?: (?:it|this|that)(?: one)?)?|pass|next(?: (?:one|question))?|leave (?:it|this|that)(?: open| out| blank| empty)?|i (?:can't|cannot) (?:say|tell)(?: you)?|(?:i )?dunno|(?:i )?(?:don't|do not) have (?:that|one|any idea)|ask me later|move on|let's move on|later)$/iu;

/** "skip", "no idea", "not sure yet", "TBD": the customer cannot or will not answer. */
export function isSkip(sentence: string): boolean {
  const said = bare(sentence).replaceAll('’', "'");
  return said !== '' && (skip.test(said) || !isAnswer(said));
}

const smallTalk: [SmallTalk, RegExp][] = [
  ['greeting', /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings)(?: (?:there|everyone|team|all))?$/iu],
  ['thanks', /^(?:many )?(?:thanks|thank you|thx|cheers)(?: (?:a lot|so much|very much|you))?$/iu],
  [
    'yes',
    /^(?:yes|yep|yeah|yup|ok|okay|sure|fine|great|perfect|good|nice|cool|correct|right|exactly|agreed|confirm(?:ed)?(?: (?:it|that))?|go ahead|(?:it |that |this )?(?:looks|sounds) (?:good|great|fine|right|perfect)(?: to me)?|(?:that's|that is|it's|it is) (?:right|correct|fine|good|perfect|all|it|everything)|please (?:go ahead|confirm|do)|done|ready|let's (?:go|do it|start))(?: please)?$/iu,
  ],
  ['no', /^(?:no|nope|nah)$/iu],
];
export type SmallTalk = 'greeting' | 'thanks' | 'yes' | 'no';

/** Words that are said to the concierge and hold nothing for the studio. */
export function smallTalkIn(sentence: string): SmallTalk | null {
  const said = bare(sentence).replaceAll('’', "'");
  return smallTalk.find(([, pattern]) => pattern.test(said))?.[0] ?? null;
}

const asking =
  /^(?:how|what|what's|when|which|who|why|where|do|does|did|can|could|is|are|will|would|should|may|shall|am|have|has) /iu;
const marked = /\?["”'’)]*$/u;

/** Whether a sentence may ask something of the concierge, with its mark or without: "how long does it take". */
export const mayAsk = (sentence: string): boolean => asking.test(sentence) || marked.test(sentence);

/** "Can you draw families?" is a question; "families, maybe?" and "why bread keeps" are answers. */
export const isQuestion = (sentence: string): boolean => asking.test(sentence) && marked.test(sentence);

const day =
  '(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|today|(?:next|this) (?:week|month|weekend|year)|(?:the )?end of (?:the |this |next )?[a-z]{3,10}|(?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:january|february|march|april|may|june|july|august|september|october|november|december)|(?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \\d{1,2}(?:st|nd|rd|th)?)?|\\d{4}-\\d\\d-\\d\\d|\\d{1,2}[./]\\d{1,2}(?:[./]\\d{2,4})?|christmas|easter';
const deadlines = [
  /\b(?:deadline|due date)(?: (?:is|will be|would be|should be|has moved to|moved to|to)| ?[:=])? (?:now |rather |actually )?(.{2,80})$/iu,
  new RegExp(
    `\\b(?:need|needed|needs|want|have|ready|done|finished|delivered|deliver|due|get)\\b[^.?!]{0,40}\\b(?:by|before|until|on|no later than) ((?:next |this )?(?:${day}).{0,20})$`,
    'iu',
  ),
];

/** When the customer says that the work is needed. */
export function deadlineIn(sentence: string): string | null {
  for (const pattern of deadlines) {
    const found = pattern.exec(sentence)?.[1];
    if (found) return found.replace(/[\s.!,;]+$/u, '');
  }
  return null;
}
