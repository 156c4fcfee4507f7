import { bare } from '../requirements/answer.ts';
import type { Family } from '../catalog/catalog.ts';
import { small } from '../requirements/prose.ts';
import { smallTalkIn, wantsOrder } from './assent.ts';
import { isAsked, isReady, labelNamed, type Talk } from './talk.ts';

/** What a customer wants of the concierge itself, and not of the studio. */
export type Request = 'restart' | 'back' | 'skipRest' | 'order' | 'complaint';

const before =
  "(?:please |can we |could we |can i |could i |let's |let us |let me |i want to |i'd like to |i need to |we should |just ){0,3}";
const started =
  '(?:over|again|anew|afresh|fresh|from (?:scratch|the (?:start|beginning|top)|zero)|all over(?: again)?)';
/** Who says none of these does not start over; most texts are told apart by it. */
export const mayRestart =
  /\b(?:over|again|anew|afresh|fresh|scratch|start|restart|beginning|top|zero|all|everything|brief|conversation)\b/iu;
const restart = new RegExp(
  `^(?:(?:i (?:do not|don't) like (?:it|this|that)(?: at all)?|no|nope|(?:this|that|it)(?: is|'s) (?:all )?wrong|sorry|scratch (?:that|it|everything)|forget (?:it|that|everything)(?: all)?|i changed my mind|wrong)[,;:.]? (?:and |so |then )?)?${before}(?:(?:start|begin) ${started}|restart|redo (?:everything|it all)|do (?:it|everything) (?:all )?over(?: again)?|(?:forget|discard|scrap) (?:all|everything|it all|all of it)|(?:remove|delete|clear|erase) everything|(?:delete|remove|erase|forget|discard|scrap|clear) (?:the (?:whole |entire )?brief|all (?:my |the )?answers|(?:all|everything) i (?:said|wrote|told you))|new (?:brief|conversation))(?: (?:please|now|then|again|i (?:said|wrote|told you)))?$`,
  'u',
);
const back = new RegExp(
  `^${before}(?:(?:go|step|take me) (?:one |a )?(?:step |question )?back(?: (?:one|a)(?: (?:step|question))?| to the (?:last|previous) (?:question|one|step))?|(?:step )?back|undo(?: (?:it|that|this|the last (?:one|change|answer|step)|my last (?:answer|message)))?|(?:the )?previous(?: (?:question|one|step))?|(?:drop|revert|reverse|take back|remove|delete|discard|cancel) (?:the |my |that )?(?:last|previous|latest) (?:change|answer|message|one|step|reply|edit)|that was (?:wrong|a mistake)|wrong answer|i made a mistake)(?: please)?$`,
  'u',
);
const skipRest = new RegExp(
  `^${before}(?:(?:skip|leave(?: out)?|drop|forget(?: about)?) (?:all |everything |of |the |your |these |those |this |any ){0,3}(?:rest|others?|remaining|else|(?:other |remaining |more ){0,2}questions?|all)(?: (?:open|out|blank|of it|of them))?|skip (?:all|everything)|no more (?:questions|answers)|enough questions|stop asking(?: me)?(?: (?:questions|things|that))?|that(?:'s| is) (?:all|everything) (?:i (?:know|have|can say|will say|want to say)|you (?:need|get)|for now)|(?:i have )?nothing (?:else|more)(?: to (?:add|say))?|i won't answer(?: (?:any|that|more))?(?: more)?(?: questions)?)(?: please)?$`,
  'u',
);
const instructs =
  /^(?:(?:system|assistant|admin|developer)(?: prompt| message)?[:,] ?)?(?:please |just |now ){0,2}(?:(?:ignore|disregard|override|bypass|forget|skip|drop) (?:all|everything|anything|this|that|it|(?:all |any |the |your |my |of |these |those |previous |prior |above |earlier |other |remaining |system ){1,5}(?:instructions?|rules?|questions?|prompts?|requirements?|messages?|answers?|steps?|checks?))|(?:mark|set|treat|consider|assume|declare|fill(?: in| out)?|complete|answer) (?:all|every|each|everything|the rest)\b.{0,60})$/u;
const complaints = [
  /^(?:(?:but|well|hey|look|listen|so|and) ){0,2}(?:i |we )?(?:have |'ve )?(?:already |just |only ){0,2}(?:told|said|answered|gave|explained|wrote) (?:you |your |it |that |this |all |everything |them |to ){0,4}(?:already|before|twice|colleagues?|everything|that|this|it|above|all|you|a minute ago)(?: (?:everything|all|already|that|this|above|twice|before|it)){0,2}$/u,
  /^(?:see|read|look|as|same as) (?:above|before|i (?:said|wrote|told you)|my (?:first|last|previous|other) message)$/u,
  /^(?:this|that|it|you)(?:'s| is|'re| are)? (?:so |really |just |such |a |an |all |completely |totally |pretty ){0,3}(?:stupid|ridiculous|annoying|useless|silly|dumb|nonsense|joke|waste of time|bullshit|crap|terrible|idiots?|tedious|absurd|too (?:long|many questions|complicated)|taking (?:too long|forever|ages))$/u,
  /^(?:too|so|how) many (?:more )?(?:questions|times (?:do|must|should|did) (?:i|we) .{1,40})$/u,
  /^(?:what the (?:hell|heck|fuck)|wtf|ffs|omg|argh+|ugh|jesus|damn(?: it)?|fuck(?: (?:you|off|this))?|screw (?:you|this)|shut up|come on|seriously|are you (?:kidding|serious|joking|stupid)(?: me)?|bullshit|hurry up|just do (?:it|your job)|(?:i (?:have|'ve) )?no time(?: for (?:this|that))?|you (?:suck|already (?:know|have) (?:that|this|it)))$/u,
];

/** Without company these may be what the work is to do. */
const button = /^(?:restart|undo|back|previous)$/u;

const plain = (sentence: string): string =>
  bare(small(sentence).replaceAll('’', "'").replace(/\s+/gu, ' ')).replace(/,? (?:please|thanks|thank you)$/u, '');

/**
 * What a sentence asks of the concierge; null when it is about the work, or small talk. `ready`: the brief is there;
 * `corrects`: it was said of what was told before.
 */
export function requestIn(sentence: string, ready: boolean, corrects = false): Request | null {
  const said = plain(sentence);
  if (said === '' || said.length > 160) return null;
  if (!ready && !corrects && button.test(bare(small(sentence)))) return null;
  if (restart.test(said)) return 'restart';
  if (back.test(said)) return 'back';
  if (complaints.some((one) => one.test(said))) return 'complaint';
  const parts = said.split(
    /(?:, | & | )(?:and |then ){0,2}(?=(?:confirm|order|go ahead|proceed|submit|start|finish|buy|place)\b)|, /u,
  );
  const orders = (part: string) => instructs.test(part) || skipRest.test(part);
  if (parts.some(orders) && parts.every((part) => orders(part) || smallTalkIn(part, true) === 'yes'))
    return parts.some((part) => skipRest.test(part)) ? 'skipRest' : 'order';
  return !ready && wantsOrder(said) && smallTalkIn(said, false) === 'yes' ? 'order' : null;
}

const removes =
  /^(?:please |can you |could you |can we |let's |no |just ){0,3}(?:remove|delete|clear|erase|reset|forget|scrap|take out|take away|withdraw|undo|drop|cross out|strike|redo|re-?open|go back to|back to|start again with) (.{1,60})$/u;
const rethinks =
  /^(?:please |just |no |sorry ){0,2}(?:i want to|i'd like to|i would like to|i need to|we need to|let me|let's|can i|can we|could i|may i) (?:change|edit|correct|fix|revise|rethink|redo|rewrite|remove|delete) (.{1,60})$/u;
const wrong =
  /^(?:no |sorry |but ){0,2}(.{1,60}?) (?:is|are|was|were) (?:all |still |completely ){0,2}(?:wrong|not right|not correct|incorrect|a mistake|outdated)$/u;
const changes = /^(?:change|edit|correct|revise) (.{1,60})$/u;

export type TakenBack = { requirement: string } | { deadline: true };

/** What was told and is taken back by its name: "remove the audience", "I want to change the tone", "forget the deadline". */
export function takenBackIn(family: Family, talk: Talk, sentence: string): TakenBack | null {
  if (!sentence.includes(' ')) return null;
  const said = plain(sentence);
  // "Change the format" may be an order to the studio, while something is still asked for.
  const ways = isReady(family, talk) ? [removes, rethinks, wrong, changes] : [removes, rethinks, wrong];
  for (const way of ways) {
    const named = way.exec(said)?.[1];
    if (named === undefined) continue;
    if (/^(?:the |our |my )?(?:deadline|due date)\b/u.test(named) && talk.deadline !== null) return { deadline: true };
    const label = labelNamed(family, named);
    if (label === null) continue;
    // What was not answered yet is not asked for any less by "remove the style"; it is no answer either.
    const known = talk.answers[label] !== undefined || talk.open.includes(label);
    if (known || (way === removes && isAsked(talk, label))) return { requirement: label };
  }
  return null;
}
