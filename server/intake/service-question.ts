import type { Family, Option, Plan } from '../catalog/catalog.ts';
import { optionNamed } from './option.ts';
import { mayAsk } from './phrases.ts';
import { missingOf, requirementAsked, type Talk } from './talk.ts';

const topics = {
  meaning:
    /\b(?:what do you mean|what does (?:that|this|it) mean|an example|examples|give (?:me )?examples?|for instance|like what|such as what|(?:do not|don't) (?:understand|follow|get it)|why do you (?:ask|need|want)|why (?:is|does) (?:that|this|it) (?:needed|important|matter)|what (?:do|would|can) you (?:\p{L}{3,10} )?(?:suggest|recommend|advise|think|propose|take|choose|pick|prefer)|(?:do|must|should) (?:i|we) (?:really |even )?(?:have|need) to (?:know|answer|tell|fill|give|say|choose|decide)|what (?:kinds? of |sorts? of )?(?!else|information|more)\p{L}{3,12} do you (?:need|want|mean|expect))\b/u,
  price:
    /\b(?:costs?|prices?|pricing|how much (?:does|do|is|are|will|would|for)|fees?|charged?|free|which plans?|what plans?|pay)\b/u,
  turnaround:
    /\b(?:how (?:long|fast|quick|quickly|soon)|turn-?around|when (?:will|would|can|could|do|does|is|are)|lead time|delivery time|how many (?:days|hours))\b/u,
  revisions:
    /\b(?:revisions?|rounds?|changes? (?:it |something |things )?(?:later|after|afterwards)|(?:don't|do not|didn't) like|(?:i|we) (?:hate|dislike)|not happy|not satisfied)\b/u,
  review: /\b(?:quality|who (?:checks|reviews|looks|approves)|reviews?|reviewed|checked|approval|approve)\b/u,
  needed:
    /\b(?:what (?:else )?(?:do|will|would) you (?:still )?(?:need|want to know)|what(?:'s| is) (?:still )?missing|(?:need|want) anything|anything else|what information|how many (?:more )?questions)\b/u,
  options:
    /\b(?:what (?:can|do) you (?:do|offer|make|sell)|(?:which|what) (?:options|services|kinds?)|what else (?:can|do) you)\b/u,
  summary:
    /\b(?:so far|what (?:have|did) you (?:got|get|noted?|written?|understood?)|read (?:it|that|them) back|show me (?:the|my) brief|what(?:'s| is) in (?:the|my) brief|what does (?:the|my) brief say)\b/u,
  files:
    /\b(?:attach|upload|send|share|add|include|give|provide|drop|hand over)\b[^?]{0,100}\b(?:files?|pictures?|photos?|images?|pdfs?|documents?|sketch(?:es)?|spreadsheets?|csv|attachments?)\b/u,
  order:
    /\b(?:what happens (?:next|now|then|after)|what (?:now|next)|now what|next steps?|how do (?:i|we) (?:order|confirm|start)|can you (?:order|confirm|start) (?:it|this))\b/u,
  ready:
    /\b(?:(?:is|are) (?:it|this|that|we|everything|the brief|my brief|all) (?:all )?(?:ready|done|complete|finished|enough|good to go|set|there)|is (?:that|this) (?:all|it|everything|enough)|(?:is|was|has|did|have) (?:it|this|that|the job|my job|my order|the order|you|i) (?:been |now |already )?(?:order(?:ed)?|confirm(?:ed)?|sent|submit(?:ted)?|created?|placed?)|what(?:'s| is) the (?:status|state)|how far are we)\b/u,
  who: /\b(?:are you (?:an? )?(?:bot|robot|human|person|real|ai|machine|computer)|who are you|am i talking|talk to (?:an? )?(?:human|person|real person|somebody|someone))\b/u,
};
export type Topic = keyof typeof topics | 'help' | 'leave';

/** The same without the form of a question. */
const requests: [Topic, RegExp][] = [
  [
    'meaning',
    /^(?:sorry,? )?i (?:do not|don't) (?:understand|follow|get it|get that)\b|^(?:an )?examples?(?: please)?[.!]?$/u,
  ],
  [
    'summary',
    /^(?:please )?(?:summar(?:y|ise|ize)|read (?:it|that|them) back|show (?:me )?(?:the|my) (?:brief|answers)|status)(?: please)?[.!]?$/u,
  ],
  [
    'help',
    /^(?:please )?(?:help(?: me)?|(?:i )?need help|(?:show )?(?:me )?(?:the )?commands|what (?:can|should|do|may|could) i (?:say|do|write|type|answer|ask)(?: here| now| you)?|how (?:does|do) (?:this|it|that|you|the chat) work|how (?:do|can) i (?:use|answer|talk to) (?:this|it|you)|what (?:is|are) (?:this|your commands|the commands))(?: please)?[.!?]{0,3}$/u,
  ],
  [
    'leave',
    /^(?:bye|goodbye|good bye|see you(?: later)?|cancel(?: (?:it|this|everything|the (?:order|job|brief|conversation|chat)))?|stop(?: (?:it|this))?|quit|exit|abort|never ?mind|forget (?:it|about it)|(?:i am|i'm) (?:out|leaving|not interested)|(?:i )?(?:do not|don't) want (?:it|this|that|anything) any ?more|not interested)(?: please| now)?[.!]{0,3}$/u,
  ],
];

/** Words of questions about a service. A question that has others may be about something else. */
const plainWords = new Set(
  [
    'a an the and or of to for in on at by with from as if not no yes any some one more so now then next after before',
    "it its it's this that these there here what what's when where who how how's why which long much many fast quick soon",
    'is are was be been am do does did can could will would should may have has had get gets take takes need needs',
    'i we you he they me us my our your already still just also really please about happen happens',
    'ready done delivered delivery finished job order brief work time days hours price prices cost costs fee fees',
    'quality check checks checked look looks review reviews reviewed approve approved revisions rounds changes included',
  ].flatMap((words) => words.split(' ')),
);

/** Whether a question has words of its own besides those that ask for a topic: "how long does bread keep?" */
const asksMore = (lower: string, topic: RegExp): boolean =>
  (lower.replace(topic, ' ').match(/[\p{L}\p{N}'-]{2,}/gu) ?? []).some((word) => !plainWords.has(word));

const ofThisService = /\b(?:you|your|it|this|that|i|we|there)\b/u;

/** What a question wants to know of the service; `answers`: a question may be the answer itself. Null for a question that the catalog does not answer. */
export function topicOf(family: Family, sentence: string, answers = false): Topic | null {
  const lower = sentence.toLowerCase().replaceAll('’', "'");
  const named = optionNamed(family, lower) !== null;
  const ours = ofThisService.test(lower) || lower.split(' ').length <= 5 || named;
  const requested = requests.find(([, pattern]) => pattern.test(lower))?.[0];
  if (requested || !ours || !mayAsk(sentence)) return requested ?? null;
  const topic = (Object.keys(topics) as (keyof typeof topics)[]).find((one) => topics[one].test(lower));
  if (!topic) return null;
  const isContent =
    optionNamed(family, lower, answers ? 1 : undefined) === null &&
    (answers || !ofThisService.test(lower)) &&
    asksMore(lower, topics[topic]);
  return isContent ? null : topic;
}

export const list = (words: string[], last = 'and'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

export const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

/** Hours as people say them. */
export const duration = (hours: number): string =>
  hours >= 48 && hours % 24 === 0 ? count(hours / 24, 'day') : count(hours, 'hour');

const money = (amount: number, currency: string): string => {
  const style = new Intl.NumberFormat('en', { style: 'currency', currency });
  const digits = style.resolvedOptions().maximumFractionDigits ?? 2;
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency.toUpperCase()}`;
};

const ofOption = {
  turnaround: (one: Option) => `first delivery is planned within ${duration(one.turnaround_hours)} of the order`,
  revisions: (one: Option) =>
    `${count(one.revision_rounds, 'round')} of changes ${one.revision_rounds === 1 ? 'is' : 'are'} included`,
  review: (one: Option) =>
    `${one.quality_review ? 'the studio looks at the work before you do' : 'the work comes to you without a review by the studio'}, and you have ${duration(one.auto_approval_hours)} to review it before it counts as approved`,
};

/** For one option, else for each. */
const perOption = (family: Family, chosen: string | null, say: (one: Option) => string): string =>
  family.options
    .filter(({ id }) => chosen === null || id === chosen)
    .map((one) => `${one.name}: ${say(one)}.`)
    .join(' ');

function whyAsked(family: Family, talk: Talk): string {
  const requirement = requirementAsked(family, talk);
  if (!requirement) return '';
  return requirement.optional
    ? 'You may leave this open.'
    : 'This is one of the things that the studio must know before it starts.';
}

function readiness(family: Family, talk: Talk): string {
  if (talk.asked === null) return 'The brief is complete.';
  if (talk.service_type === null) return 'Not yet: I do not know what you need.';
  const labels = missingOf(family, talk).flatMap(({ label }) => (talk.open.includes(label) ? [] : [label]));
  return `Not yet. Before you can confirm a brief I have to ask for: ${list(labels)}. If you cannot say more, answer “skip the rest”.`;
}

/** The answer to a question about the service: from the catalog, the plans and the conversation, and from nowhere else. */
export function answerTo(
  topic: Topic,
  { family, plans, talk, option }: { family: Family; plans: Iterable<Plan>; talk: Talk; option: string | null },
): string {
  switch (topic) {
    case 'turnaround':
    case 'revisions':
      return perOption(family, option, ofOption[topic]);
    case 'review':
      return `${perOption(family, option, ofOption.review)} The studio checks: ${family.quality_signals.join('; ')}.`;
    case 'price': {
      const prices = [...plans].map(
        ({ name, quota, unit, price }) =>
          `${name} (${count(quota, unit)} for ${money(price.unit_amount, price.currency)} a ${price.interval})`,
      );
      return `A job has no price of its own: it counts as one job of your plan. The plans are ${list(prices)}.`;
    }
    case 'needed': {
      const labels = missingOf(family, talk).map(({ label }) => label);
      return labels.length === 0 ? 'I have all that the studio asks for.' : `Still open: ${list(labels)}.`;
    }
    case 'options':
      if (talk.asked && 'option' in talk.asked) return ''; // the question lists them
      return `${family.name} offers: ${family.options.map(({ name, description }) => `${name} – ${description}`).join(' ')}`;
    case 'summary': {
      const known = family.intake_requirements.flatMap(({ label }) =>
        talk.answers[label] === undefined ? [] : [`${label}: ${talk.answers[label]}`],
      );
      return known.length === 0 ? 'I have noted no answer yet.' : `So far I have:\n${known.join('\n')}`;
    }
    case 'files':
      return 'Yes: upload the file, then write its id here (file_…) or give it in file_ids when you confirm; it goes along with the brief.';
    case 'order':
      return 'When the brief is complete, you confirm it, and that creates the job. Nothing is ordered before.';
    case 'ready':
      return readiness(family, talk);
    case 'help':
      return 'I gather what the studio has to know, one thing at a time. Answer in your own words, several things at once if you like. You can also say “skip”, “go back”, “remove …”, “start over” or “show me the brief”, and ask about time, price, changes and files.';
    case 'leave':
      return 'Nothing is ordered. You may leave at any time: this conversation is kept for seven days after it was opened.';
    case 'who':
      return 'I am the automatic concierge of the studio: I gather what it needs to know, and the studio does the work.';
    case 'meaning':
      return whyAsked(family, talk);
  }
}
