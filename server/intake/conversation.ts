import type { Catalog, Family } from '../catalog/catalog.ts';
import { type Brief, briefOf } from './brief.ts';
import { hear } from './hear.ts';
import type { Heard } from './heard.ts';
import { type Changes, type Message, remember } from './remember.ts';
import { acknowledgement, greeting, type Manner, plea, question, readBack } from './reply.ts';
import { elsewhere } from './option-heard.ts';
import { answerTo } from './service-question.ts';
import { type Asked, newTalk, nextOf, type Talk } from './talk.ts';

/** What a message leads to. The brief is there once nothing is left to ask. */
export type Turn = { talk: Talk; reply: string; brief: Brief | null };

type Shop = Pick<Catalog, 'plans' | 'families'>;

/** The first words of the concierge to a customer who has not said anything yet. */
export function greet(family: Family, serviceType: string | null): Turn {
  const talk = newTalk(family, serviceType);
  const asked = nextOf(family, talk)!;
  const reply = `${greeting(family, talk)}\n\n${question(family, asked, 'first')}`;
  return { talk: { ...talk, asked }, reply, brief: null };
}

/** The reply to a customer who begins the conversation. */
export function greetBack(shop: Shop, family: Family, serviceType: string | null, said: Message): Turn {
  const turn = converse(shop, family, newTalk(family, serviceType), said);
  const hello = turn.talk.service_type === null ? greeting(family, turn.talk) : 'Hello!';
  return { ...turn, reply: `${hello} ${turn.reply.replace(/^Hello!\s*/u, '')}` };
}

/**
 * One message and the reply to it: what was heard changes what is known, and from what is known follows the one question
 * to ask, or the brief. No clock, no chance and no I/O: the same conversation always goes the same way.
 */
export function converse({ plans, families }: Shop, family: Family, before: Talk, said: Message): Turn {
  const heard = hear(family, before, said.message);
  const { talk: known, changes } = remember(family, before, heard, said);
  const asked = nextOf(family, known);
  const talk = { ...known, asked, version: asked === null ? known.version + 1 : known.version };
  const brief = briefOf(family, talk);
  const phrase = asked && phraseOf(said, asked, changes);
  const about = { family, plans: plans.values(), talk, option: heard.askedOption ?? talk.service_type };
  const readsBack = brief !== null && heard.topics.includes('summary');
  const topics = new Set([...heard.topics, ...(heard.requests.includes('order') ? ['ready' as const] : [])]);
  if (readsBack) topics.delete('summary');
  const other = isForOthers(heard, changes, before) ? elsewhere(families, family, said.message) : null;
  const told = [
    courtesy(heard, before),
    phrase && onlyNoted(changes) ? '' : (other ?? acknowledgement(changes, heard, Object.keys(talk.answers).length)),
    ...[...topics].map((topic) => answerTo(topic, about)),
  ];
  const closing = brief
    ? propose(family, before, talk, brief, heard, changes)
    : (phrase ?? ask(family, before, talk, heard, changes));
  const opening = told.filter((part) => part !== '').join(' ');
  return { talk, brief, reply: opening === '' ? closing : `${opening}\n\n${closing}` };
}

/** Whether what was said may be about another family: nothing else was understood, and nothing is asked that it answers. */
const isForOthers = ({ rest, unknownQuestion, option }: Heard, changes: Changes, { asked }: Talk): boolean =>
  option === null &&
  changes.noted.length === 0 &&
  (unknownQuestion || (rest.length > 0 && changes.answered === null)) &&
  (asked === null || 'option' in asked || unknownQuestion);

function courtesy({ smallTalk, requests }: Heard, before: Talk): string {
  if (requests.includes('complaint')) return 'I am sorry.';
  if (smallTalk === 'greeting' && before.words.length === 0) return 'Hello!';
  return smallTalk === 'thanks' ? 'You are welcome.' : '';
}

const same = (a: Asked | null, b: Asked | null): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The one question of this reply: in full when it is new, shorter when it was asked just before. */
function ask(family: Family, before: Talk, { asked }: Talk, { topics }: Heard, { toExplain }: Changes): string {
  if (asked === null) throw new Error('There is nothing to ask.');
  if (toExplain !== null && same(asked, { requirement: toExplain })) return plea(family, toExplain);
  const manner: Manner = topics.includes('meaning') ? 'explained' : same(asked, before.asked) ? 'again' : 'first';
  return question(family, asked, manner);
}

/** Nothing happened that the customer must be told but that answers were taken. */
const onlyNoted = ({ option, corrected, added, deadline, leftOpen, takenBack, files, restarted }: Changes): boolean =>
  [corrected, added, leftOpen, takenBack, files].every((list) => list.length === 0) &&
  !option &&
  !deadline &&
  !restarted;

/** A model's words for the question that the rules chose. */
function phraseOf({ proposal }: Message, asked: Asked, changes: Changes): string | null {
  if (!proposal?.phrase || changes.toExplain !== null || changes.unknownFiles.length > 0) return null;
  return same(proposal.phrase.asks, asked) ? proposal.phrase.words : null;
}

/** The brief, read back when anything in it changed. */
function propose(family: Family, before: Talk, talk: Talk, brief: Brief, heard: Heard, changes: Changes): string {
  const unchanged = onlyNoted(changes) && changes.noted.length === 0 && before.version > 0;
  if (!unchanged || heard.topics.includes('summary')) return readBack(family, talk, brief);
  const agreed = heard.smallTalk === 'yes' || heard.requests.includes('order');
  if (agreed)
    return `Then please confirm version ${brief.version} of the brief. That is yours to do, and nothing is ordered before: in the terminal write /confirm, in a program send POST /api/v1/intake/sessions/{id}/confirm.`;
  const wish =
    heard.smallTalk === 'no'
      ? 'Then tell me what to change, such as “the audience is …” or “remove the audience”. '
      : '';
  return `${wish}Your brief, now version ${brief.version}, is ready; nothing is ordered until you confirm it.`;
}
