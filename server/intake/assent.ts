import { bare } from '../requirements/answer.ts';

export type SmallTalk = 'greeting' | 'thanks' | 'yes' | 'no';

const smallTalk: [SmallTalk, RegExp][] = [
  ['greeting', /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings)(?: (?:there|everyone|team|all))?$/iu],
  ['thanks', /^(?:many )?(?:thanks|thank you|thx|cheers)(?: (?:a lot|so much|very much|you))?$/iu],
  [
    'yes',
    /^(?:y|k|yes|yep|yeah|yup|ok|okay|sure|fine|great|perfect|good|nice|cool|correct|right|exactly|agreed|confirm(?:ed)?(?: (?:it|that))?|go ahead|(?:it |that |this )?(?:looks|sounds) (?:good|great|fine|right|perfect)(?: to me)?|(?:that's|that is|it's|it is) (?:right|correct|fine|good|perfect|all|it|everything)|please (?:go ahead|confirm|do)|done|ready|let's (?:go|do it|start))(?: please)?$/iu,
  ],
  ['no', /^(?:no|nope|nah)$/iu],
];

const thing =
  '(?: (?:it|this|that|now|away|everything|all|(?:the|my|this|that|your|our|an|a) (?:brief|order|job|request|thing|version|work)|version \\d{1,4}|on|off|in|for me|for us|then|as is|through|from here|of it)){0,3}';
const good =
  '(?:good|great|fine|right|perfect|correct|ok|okay|nice|awesome|excellent|lovely|amazing|complete|alright|well|accurate|spot on|as (?:i|we) (?:want|wanted|said)|what (?:i|we) (?:want|wanted|need)|done)';
/** Words of somebody who agrees, one after the other. A bare "go" may be a language, so it needs company or a ready brief. */
const agreeing = [
  'ok(?:ay|ey)? ?d(?:o|oo)key|(?:please )?make it|ffs|finally|already|obviously|damn it|(?:great|good|nice) (?:work|job)|well done|thank(?:s| you)(?: (?:so|very) much| a lot| again)|whatever|yes|yep|yeah|yup|yea|ya|y|aye|si|ja|oui|k|kk|ok|okay|okey|sure(?: thing)?|absolutely|definitely|certainly|of course|by all means|lgtm|👍|✅|👌',
  '(?:please )?go (?:ahead|on|for it)|carry on|make it (?:so|happen|official)|get (?:started|going|to work|it done|on with it)|good to go',
  `(?:very |all |so |pretty )?${good}(?: to go| enough| as it is)?|cool|super|wonderful|brilliant|exactly|agreed?|approved?|accept(?:ed)?|wow|deal|brill|top|neat`,
  `(?:to )?(?:confirm(?:ed)?|order(?:ed)?|buy|book|purchase|submit|send|ship|place|start|begin|proceed|launch|finali[sz]e|finish|take|run|create|accept|approve|do|make|commission|go)${thing}`,
  `(?:(?:it|that|this|everything|all|the brief|all of (?:it|this|that)) ?)?(?:'s|is|looks|sounds|seems|works|reads)(?: (?:all|very|really|just|absolutely|quite))?(?: ${good})?(?: (?:to|for|with|by) (?:me|us))?`,
  `(?:i|we)(?: am|'m| are|'re)?(?: (?:really|very|quite|totally|all|fully))? ?(?:confirm|agree|approve|accept|like|love|order|happy|satisfied|pleased|content|ready|fine|good|okay|ok|in)${thing}(?: with (?:it|this|that|the brief|everything))?`,
  "(?:i|we)(?: want|'d like| would like|'d love| would love)(?: to (?:order|confirm|proceed|buy|start|go ahead|go))?(?: (?:it|this|that|exactly (?:this|that)))?",
  "(?:let's|let us|we can|you can|you may|you should|can you|could you|would you|will you|can i|can we|may i)(?: (?:now|please|just))?",
  "nothing (?:to (?:add|change)|else)(?: to (?:add|change))?|no (?:more )?changes|no further (?:changes|questions)|that's (?:all|it|everything)|that is (?:all|it|everything)",
  'please|pls|plz|now|thanks|thank you|thx|then|so|and|as is|like (?:this|that)|(?:to|for|with|by) me|why not|just|well|too|all|right away|right now|asap|immediately|mate|guys|done|ready|the brief',
];
const agrees = new RegExp(`^(?:${agreeing.join('|')})(?=$|[\\s,.;:!?&+…–—-]|👍|✅|👌)[\\s,.;:!?&+…–—-]{0,10}`, 'u');
/** Agreeing and nothing else is not yet said by these. */
const filling =
  /^(?:please|pls|plz|now|then|so|and|(?:to|for|with|by) me|why not|just|well|too|all|asap|mate|guys|the brief|ffs|finally|already|obviously|damn it|make|whatever|thanks?.{0,20}|i|it|this|that|right now|right away|immediately|take|run|begin|finish|do|in|(?:(?:can|could|would|will) you|can i|can we|may i)(?: (?:now|please|just))?)$/u;
const ordering = /\b(?:confirm|order|buy|book|purchase|submit|ship it|send it|place|go ahead|proceed|finali[sz]e)\b/u;

/** Whether a sentence consists of words of assent: "yes confirm", "looks good, please go ahead", "lgtm". */
function isAssent(said: string): boolean {
  if (said.length > 120) return false;
  let rest = said;
  let agreed = false;
  for (let found = agrees.exec(rest); found && rest !== ''; found = agrees.exec(rest)) {
    if (found[0] === '') return false;
    agreed ||= !filling.test(bare(found[0]));
    rest = rest.slice(found[0].length);
  }
  return agreed && rest === '';
}

/** Words that are said to the concierge and hold nothing for the studio; `ready`: the brief is there to be agreed to. */
export function smallTalkIn(sentence: string, ready: boolean): SmallTalk | null {
  const said = bare(sentence).replaceAll('’', "'");
  const lower = said.toLowerCase();
  const named = smallTalk.find(([, pattern]) => pattern.test(said))?.[0];
  if (named) return named;
  if (ready && disagrees.test(lower)) return 'no';
  // While something is asked, one word may be the answer: "go".
  const orders = ordering.test(lower) && !callsToAction.test(lower);
  const many = lower.includes(' ') && (orders || beginsAgreeing.test(lower));
  return (ready || many || plainlyAgreeing.test(lower)) && isAssent(lower) ? 'yes' : null;
}

const praise = /^(?:fine|great|perfect|good|nice|cool|correct|right)$/iu;

/** One word that praises, and nothing else. To what was asked it is the answer: "cool". */
export const isPraise = (text: string): boolean => praise.test(bare(text));

/** Also the words of a button. */
const callsToAction = /^(?:buy|book|purchase)\b.{0,40} now$/u;
const plainlyAgreeing = /^(?:lgtm|alright|absolutely|definitely|certainly|👍|✅|👌)/u;
const beginsAgreeing = /^(?:yes|yep|yeah|yup|ok|okay|sure|alright|all right|perfect|great|of course)\b/u;
const disagrees =
  /^(?:hmm?|uh|um|but|also|(?:wait|hold on|hang on)(?: (?:a|one) (?:minute|moment|second|sec|bit))?|(?:just )?(?:a|one) (?:minute|moment|second|sec)|not (?:so fast|quite|really|exactly|good|right|correct|yet|ok|okay|happy|there yet)|wrong|incorrect|bad|(?:that|it|this)(?:'s| is) (?:all )?(?:wrong|not (?:it|right|correct|good|what i (?:want|wanted|meant|said))|incorrect)|i (?:do not|don't) (?:like|want|agree)(?: (?:it|that|this|with (?:it|that|this)))?|i disagree|do not (?:order|confirm|send)(?: (?:it|this|that))?|don't (?:order|confirm|send)(?: (?:it|this|that))?)(?: (?:yet|at all))?$/u;

/** Whether somebody who agrees means to order. */
export const wantsOrder = (sentence: string): boolean => ordering.test(sentence.toLowerCase());
