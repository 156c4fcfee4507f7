import type { Family } from '../catalog/catalog.ts';
import { labelled } from '../requirements/intent.ts';
import { prose } from '../requirements/prose.ts';
import { mayRestart, requestIn } from './requests.ts';
import { sentencesOf, statementIn } from './sentences.ts';
import { isReady, type Talk } from './talk.ts';

/** What stands behind "start over", said for itself or in front of more; null where nobody says so. */
export function behindRestart(family: Family, talk: Talk, message: string): string | null {
  if (!mayRestart.test(message)) return null;
  const ready = isReady(family, talk);
  const free = labelled(family, prose(message)).length === 0;
  let from = 0;
  let behind: string | null = null;
  for (const sentence of sentencesOf(family, message)) {
    const at = message.indexOf(sentence, from);
    if (at < 0) continue;
    const alone = free || /(?:^|\n)\s{0,9}$/u.test(message.slice(Math.max(0, at - 9), at));
    from = at + sentence.length;
    if (!alone) continue;
    const further = requestIn(sentence, ready) === 'restart' ? '' : behindMark(family, sentence, ready);
    if (further !== null) behind = further + message.slice(from);
  }
  return behind;
}

/** "Start over: the name is Rise" starts over; "Start over: how to live at fifty" is a title. */
function behindMark(family: Family, sentence: string, ready: boolean): string | null {
  for (const { 0: mark, index } of [...sentence.matchAll(/[,:：–—]| -/gu)].slice(0, 3)) {
    const further = sentence.slice(index + mark.length).replace(/^[\s:：–—-]+/u, '');
    const told = statementIn(family, further) !== null || /^(?:we|i|it|this|our|my)\b/iu.test(further);
    const keeps = mark === ',' ? !told : /^(?:but|except|besides|apart|only|just|not|keep)\b/iu.test(further);
    if ((told || ready) && !keeps && requestIn(sentence.slice(0, index), ready) === 'restart') return further;
  }
  return null;
}
