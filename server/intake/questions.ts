import { type Family, type Option, type Plan, priceText } from '../catalog/catalog.ts';
import { optionIn } from '../requirements/option.ts';
import type { Question, State } from './state.ts';

export const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

export const duration = (hours: number): string =>
  hours >= 48 && hours % 24 === 0 ? count(hours / 24, 'day') : count(hours, 'hour');

export const promise = (option: Option): string =>
  `first delivery is planned within ${duration(option.turnaround_hours)} of the order, with ` +
  `${count(option.revision_rounds, 'round')} of changes included`;

type About = { plans: Iterable<Plan>; options: Option[] };

/** Questions about the service and their answers, which come only from the catalog. */
const topics: { asks: RegExp; answer: (about: About) => string }[] = [
  {
    asks: /\b(?:costs?|prices?|pricing|how much (?:is|does|do|will|would)|fees?|charged?|for free|plans?|pay)\b/u,
    answer: ({ plans }) =>
      'A job has no separate price: it counts as one job of your plan. ' +
      [...plans].map((plan) => `${plan.name}: ${count(plan.quota, plan.unit)}, ${priceText(plan)}.`).join(' '),
  },
  {
    asks: /\b(?:how (?:long|fast|quick|quickly|soon)|turnaround|deliver(?:y|ed)?|when (?:will|can|could|would|is|do)|how many days|revisions?|rounds?|change (?:it|things)|changes|do not like|don't like|not happy)\b/u,
    answer: ({ options }) => options.map((option) => `${option.name}: ${promise(option)}.`).join(' '),
  },
  {
    asks: /\b(?:who (?:checks|reviews|looks)|quality|reviewed)\b/u,
    answer: ({ options }) =>
      options
        .map(({ name, quality_review, auto_approval_hours }) => {
          const review = quality_review ? 'the studio reviews the work first' : 'you get the work at once';
          return `${name}: ${review}, and you have ${duration(auto_approval_hours)} to approve it or ask for changes.`;
        })
        .join(' '),
  },
  {
    asks: /\b(?:upload|attach|send (?:you )?(?:a |an |my |our |some |the )?(?:files?|pictures?|photos?|images?|pdfs?))\b/u,
    answer: () => 'Upload the file, then write its id here (file_…). I attach it to the brief.',
  },
  {
    asks: /\b(?:are you (?:a |an )?(?:bot|robot|human|person|real|ai|machine)|who are you)\b/u,
    answer: () =>
      'I am the automatic concierge: I collect what the studio needs to know, and the studio does the work.',
  },
];

const asking =
  /^(?:how|what|when|which|who|why|where|do|does|did|can|could|is|are|will|would|should|may|shall|am|have|has) /iu;

/** Whether a message asks something. "Families, maybe?" does not. */
export const isQuestion = (text: string): boolean => asking.test(text.trim()) && /\?\W{0,5}$/u.test(text);

const ofUs = /\b(?:it|this|that|you|your|we|i|included)\b/u;

/** Null if the message is not a question about the service. */
export function answerFromCatalog(
  family: Family,
  { service_type }: State,
  question: Question,
  plans: Iterable<Plan>,
  text: string,
): string | null {
  const said = text.trim().toLowerCase().replaceAll('’', "'");
  // For research, a question can be the answer: "What do people in Leeds pay for bread?", but not "how much
  // does it cost?"
  const isWanted = question && question !== 'option' && question.example.endsWith('?');
  if (isWanted && (said.length > 40 || !ofUs.test(said))) return null;
  if (said.length > 120 || !(said.endsWith('?') || /^how (?:much|long|many|soon)\b/u.test(said))) return null;
  const topic = topics.find(({ asks }) => asks.test(said));
  if (!topic) return null;
  const named = optionIn(family, said)?.id ?? service_type;
  const options = family.options.filter(({ id }) => named === null || id === named);
  return topic.answer({ plans, options });
}
