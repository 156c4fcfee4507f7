import { bare } from '../requirements/answer.ts';
import type { Family } from '../catalog/catalog.ts';
import { labelled, type Labelled } from '../requirements/intent.ts';
import type { Prose } from '../requirements/prose.ts';
import { isSkip, leftOpenBy } from './left-open.ts';
import { withoutLead } from './phrases.ts';
import { requestIn } from './requests.ts';
import { sentencesOf, statementIn } from './sentences.ts';
import { topicOf } from './service-question.ts';
import { asAnswer, isReady, type Talk } from './talk.ts';

const separated = /[:：=|–—\n#-]/u;

/** The labels of a text and what stands behind them. "Users" alone is no label without an answer. */
export const labelsIn = (family: Family, told: Prose): Labelled[] =>
  labelled(family, told).filter(
    ({ answer, start, end }) => answer !== '' || separated.test(told.text.slice(start, end)),
  );

export const isName = (label: string): boolean => /\bname\b/iu.test(label);

/** `further`: the sentences behind the answer that are about something else. */
type Behind = { leftOpen: boolean; answer: string | null; further: string[] };

/** What stands behind a label, up to where the customer goes on about something else. */
export function behindLabel(family: Family, talk: Talk, { label, answer, start, end }: Labelled, text: string): Behind {
  const behind = text.slice(start, end).replace(/^[^:：=|–—-]*[:：=|–—-]+/u, '');
  // "Brand name: Whatever" may be meant.
  const named = isName(label) && /^\p{Lu}/u.test(answer);
  if (answer === '' ? bare(behind) !== '' : isSkip(answer) && !named)
    return { leftOpen: true, answer: null, further: [] };
  const [, ...sentences] = sentencesOf(family, answer);
  const further = [];
  let own = answer;
  let from = 0;
  for (const sentence of sentences) {
    from = Math.max(from, answer.indexOf(sentence, from));
    const said = withoutLead(sentence);
    const stated = statementIn(family, said.core);
    const turns = stated !== null || leftOpenBy(family, said.core) || topicOf(family, said.core);
    if (own === answer && !turns && !said.corrects && requestIn(sentence, isReady(family, talk)) === null) continue;
    if (own === answer) own = answer.slice(0, from);
    // "Warm. No wait, cold": the second thought counts.
    if (said.corrects && !turns && said.core !== '') own = said.core;
    else further.push(sentence);
  }
  return { leftOpen: false, answer: asAnswer(own), further };
}
