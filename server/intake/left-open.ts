import { bare, isAnswer } from '../requirements/answer.ts';
import type { Family } from '../catalog/catalog.ts';
import { small } from '../requirements/prose.ts';
import { labelsByName } from './sentences.ts';
import { labelNamed } from './talk.ts';

const you = '(?:you|u|the studio|the (?:designer|writer|expert)s?|your (?:team|people|designers?|writers?|experts?))';
const best = '(?:good|best|fine|right|nice|ok|okay|great|well|you|fitting|easiest|cool)';

/** The customer cannot or will not answer. */
const cannot = [
  'skip(?: (?:it|this|that)(?: one| question)?)?|pass|next(?: (?:one|question))?',
  "leave (?:it|this|that)(?: open| out| blank| empty)?|ask me later|move on|let's move on|later|moving on",
  "(?:i )?(?:can't|cannot|could not|couldn't) (?:say|tell|decide|answer|think of (?:any|anything|one))(?: (?:you|it|that|this))?",
  'i ?d(?:unno|k)|dunno|beats me|no clue|how should i know|how would i know|who knows|good question|hard to say',
  "(?:i )?(?:don't|do not) have (?:that|one|any idea|an answer|a clue)|(?:i have )?not (?:decided|thought about (?:it|that|this))(?: yet)?",
  "(?:let me|i'll|i will|i have to|i need to|i must) (?:think|think about (?:it|that|this)|check|get back to you|ask (?:my|the) \\p{L}{2,20})",
];
/** The choice is left to the studio. */
const delegates = [
  `whatever(?: ${you} (?:like|want|prefer|think|think is best|think best|feel like|suggest|choose|decide|say|have))?`,
  `whatever (?:looks|works|fits|suits|is|sounds|seems|feels) ${best}(?: (?:to|for|with) you)?`,
  "(?:(?:it|that|this|everything)(?: is|'s)? )?(?:all |entirely |completely |totally |really )?up to (?:you|the studio|your team)",
  "(?:(?:it|that|this)(?: is|'s) )?your (?:choice|call|decision|pick|job|turn)|dealer's choice|surprise (?:me|us)",
  `(?:can |could |would |will )?${you} (?:can |may |should |could |will |please |just ){0,2}(?:decide|choose|pick|select|judge|figure (?:it )?out|work (?:it )?out|sort (?:it )?out|find out|know best|know better|tell me)(?: (?:it|one|something|anything|that|this|what you like|for me|for us|freely|yourselves|yourself)){0,2}`,
  "you(?:'re| are) the (?:experts?|pros?|professionals?|designers?|writers?|specialists?|boss)",
  '(?:pick|choose|take|use|do|select|suggest|invent|put|make up|go with|come up with|go for|think of) (?:something|anything|one|any|whatever|some|what you (?:like|want|think|prefer)|the best|for me|for us|yourself)(?: (?:good|nice|suitable|best|for me|for us|yourself|you like|you want|that (?:fits|works|suits)|fitting|random|at random|works|fits)){0,2}',
  'any(?:thing)?|any(?:thing| of them| of these| one)? (?:goes|works|will do|you like|you want|(?:is|would be|will be) (?:fine|ok|okay|good|great))(?: (?:with|by|for) (?:me|us))?',
  "(?:(?:it|that|this) )?(?:does not|doesn't|doesnt|do not|don't|dont) (?:really |much )?(?:matter|make a difference|make any difference)(?: (?:to|for) (?:me|us))?(?: (?:at all|much|really))?|no matter",
  "(?:(?:i|we) )?(?:really |honestly )?(?:do not|don't|dont|couldn't|could not) (?:really )?(?:care|mind|bother|give a damn)(?: (?:less|at all|much|really))?(?: about (?:it|that|this))?",
  "(?:(?:i|we) have |i've (?:got )?)?no (?:strong |real |particular |special |specific |fixed )?(?:preference|opinion|wish|view|idea|thought|favou?rite)s?(?: (?:here|at all|on (?:it|that|this)|about (?:it|that|this)))?",
  `(?:(?:i|we)(?:'ll| will)? )?(?:leave (?:it|that|this|all|everything|the choice) (?:up )?(?:to|with) ${you}|trust ${you}|trust your (?:taste|judge?ment|choice|experience))`,
  "(?:(?:it|that)(?: is|'s) )?all the same to (?:me|us)|(?:i'm|i am|we're|we are) (?:easy|open|flexible|open to (?:anything|ideas|suggestions))|either(?: (?:one|way|is fine|works))?",
  'as you (?:like|wish|please|prefer|want|see fit|think(?: best| fit)?)|however you (?:like|want|wish)|like you want',
  "(?:it|that|this)(?: is|'s) (?:not (?:so |that |really )?important|unimportant|irrelevant|open|flexible|not relevant)|not (?:so |that |really )?important|(?:use )?your (?:own |best )?(?:judge?ment|imagination|discretion|taste)|be creative|free choice",
  `let ${you} (?:decide|choose|pick)`,
];
const givenUp = new RegExp(`^(?:${[...cannot, ...delegates].join('|')})$`, 'u');

const softeners =
  /^(?:please|just|honestly|really|well|hmm?|oh|uh|um|ok|okay|sorry|maybe|perhaps|i guess|i think|frankly|actually|still) /u;
const trailers =
  / (?:please|then|really|honestly|i guess|i think|thanks|thank you|for me|tbh|for (?:that|this)(?: one)?|on (?:that|this)(?: one)?|here|yet|now|though|again|lol|so far|either)$/u;

function core(part: string): string {
  let text = bare(part);
  for (let before = ''; before !== text && !givenUp.test(text);) {
    before = text;
    text = text.replace(softeners, '').replace(trailers, '');
  }
  return text;
}

const straight = (text: string): string => small(text).replaceAll('’', "'").replace(/\s+/gu, ' ');

const fillers = /^(?:ok|okay|well|hmm?|no|sorry|please|thanks|thank you|honestly|whatever|just|really)$/u;

/** "skip", "no idea", "you decide", "TBD": the customer cannot or will not answer, or leaves it to the studio. */
export function isSkip(sentence: string): boolean {
  const said = bare(straight(sentence));
  if (said === '' || said.length > 120) return false;
  if (!isAnswer(said)) return true;
  const parts = said.split(/, ?|; ?|\. | [-–—] | (?:so|and|but) |\? /u).map(core);
  const open = (part: string) => givenUp.test(part) || !isAnswer(part);
  return parts.some(open) && parts.every((part) => part === '' || fillers.test(part) || open(part));
}

const unknown =
  /^(?:please |but |and |well |sorry |i do |i'm |i am |we're |we are |we |i |have |really |still |there is ){0,4}(?:(?:do not|don't|dont|not) (?:really )?(?:know|care|mind|have)|no (?:idea|clue|preference|opinion|wishes)|not sure|unsure|undecided|can't (?:say|decide|tell)|cannot (?:say|decide|tell)|(?:have not|haven't|not) (?:yet )?decided|(?:you|the studio) (?:can |may |should |please ){0,2}(?:choose|decide|pick)|(?:leave(?: out| open)?|skip|drop))(?: yet)?(?: (?:about|for|on|of|regarding|with|what|which|any|as to)){0,2} (.{1,60}?)(?: open| out)?$/u;

const namedBy = (family: Family, words: string | undefined) => (words ? labelNamed(family, words) : null);

/** The requirement that a sentence names and leaves open: "skip the sources", "I don't know the style", "tone: up to you". */
export function leftOpenBy(family: Family, sentence: string): string | null {
  const said = bare(straight(sentence));
  if (said.length > 160 || !said.includes(' ')) return null;
  const told = namedBy(family, unknown.exec(said)?.[1]);
  if (told !== null) return told;
  const [first = '', ...others] = said.split(/, | [-–—] | so | and /u);
  if (others.length > 0 && others.every(isSkip)) return leftOpenBy(family, first);
  const about = said.replace(/^(?:about |for |as for )?(?:the |our |my )?/u, '');
  for (const [name, label] of labelsByName(family))
    if (about.startsWith(name) && /^[ ,:?=-]/u.test(about.slice(name.length))) {
      const rest = about.slice(name.length).replace(/^[ ,:?=-]{1,4}(?:(?:is|are) )?/u, '');
      if (rest !== '' && isSkip(rest)) return label;
    }
  return null;
}
