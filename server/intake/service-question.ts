import type { Family, Option, Plan } from '../catalog/catalog.ts';
import { optionNamed } from './option.ts';
import { mayAsk } from './phrases.ts';
import { missingOf, type Talk } from './talk.ts';

const topics = {
  meaning:
    /\b(?:what do you mean|what does (?:that|this|it) mean|an example|examples|give (?:me )?examples?|for instance|like what|such as what|(?:do not|don't) (?:understand|follow|get it)|why do you (?:ask|need|want)|why (?:is|does) (?:that|this|it) (?:needed|important|matter))\b/u,
  price:
    /\b(?:costs?|prices?|pricing|how much (?:does|do|is|are|will|would|for)|fees?|charged?|free|which plans?|what plans?|pay)\b/u,
  turnaround:
    /\b(?:how (?:long|fast|quick|quickly|soon)|turn-?around|when (?:will|would|can|could|do|does|is|are)|lead time|delivery time|how many (?:days|hours))\b/u,
  revisions:
    /\b(?:revisions?|rounds?|changes? (?:it |something |things )?(?:later|after|afterwards)|(?:don't|do not|didn't) like|not happy|not satisfied)\b/u,
  review: /\b(?:quality|who (?:checks|reviews|looks|approves)|reviews?|reviewed|checked|approval|approve)\b/u,
  needed:
    /\b(?:what (?:else )?(?:do|will|would) you (?:still )?(?:need|want to know)|what(?:'s| is) (?:still )?missing|(?:need|want) anything|anything else|what information|how many (?:more )?questions)\b/u,
  options:
    /\b(?:what (?:can|do) you (?:do|offer|make|sell)|(?:which|what) (?:options|services|kinds?)|what else (?:can|do) you)\b/u,
  summary:
    /\b(?:so far|what (?:have|did) you (?:got|get|noted?|written?|understood?)|read (?:it|that|them) back|show me (?:the|my) brief)\b/u,
  files:
    /\b(?:attach|upload|send|share)\b[^?]*\b(?:files?|pictures?|photos?|images?|pdfs?|documents?|sketch(?:es)?|spreadsheets?|csv|attachments?)\b/u,
  order:
    /\b(?:what happens (?:next|now|then|after)|next steps?|how do (?:i|we) (?:order|confirm|start)|can you (?:order|confirm|start) (?:it|this))\b/u,
  who: /\b(?:are you (?:an? )?(?:bot|robot|human|person|real|ai|machine|computer)|who are you|am i talking|talk to (?:an? )?(?:human|person|real person|somebody|someone))\b/u,
};
export type Topic = keyof typeof topics;

/** The same without the form of a question. */
const requests: [Topic, RegExp][] = [
  [
    'meaning',
    /^(?:sorry,? )?i (?:do not|don't) (?:understand|follow|get it|get that)\b|^(?:an )?examples?(?: please)?[.!]?$/u,
  ],
  [
    'summary',
    /^(?:please )?(?:summar(?:y|ise|ize)|read (?:it|that|them) back|show me (?:the|my) brief)(?: please)?[.!]?$/u,
  ],
];

const ofThisService = /\b(?:you|your|it|this|that|i|we|there)\b/u;

/** What a question wants to know of the service; null for a question that the catalog does not answer. */
export function topicOf(family: Family, sentence: string): Topic | null {
  const lower = sentence.toLowerCase().replaceAll('’', "'");
  const ours = ofThisService.test(lower) || lower.split(' ').length <= 5 || optionNamed(family, lower) !== null;
  const requested = requests.find(([, pattern]) => pattern.test(lower))?.[0];
  if (requested || !ours || !mayAsk(sentence)) return requested ?? null;
  return (Object.keys(topics) as Topic[]).find((topic) => topics[topic].test(lower)) ?? null;
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

function whyAsked(family: Family, { asked }: Talk): string {
  const requirement = family.intake_requirements.find(
    ({ label }) => asked && 'requirement' in asked && asked.requirement === label,
  );
  if (!requirement) return '';
  return requirement.optional
    ? 'You may leave this open.'
    : 'This is one of the things that the studio must know before it starts.';
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
      return 'Yes: upload the file, then write its id here (file_…), and it goes along with the brief.';
    case 'order':
      return 'When the brief is complete, you confirm it, and that creates the job. Nothing is ordered before.';
    case 'who':
      return 'I am the automatic concierge of the studio: I gather what it needs to know, and the studio does the work.';
    case 'meaning':
      return whyAsked(family, talk);
  }
}
