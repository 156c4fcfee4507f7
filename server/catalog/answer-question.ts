import Type from 'typebox';
import { readYaml } from '../lib/read-yaml.ts';
import { capital, count, fill, sentence } from '../lib/words.ts';
import { type Option, type Plan, priceText, type Requirement } from './catalog.ts';

const text = Type.String();
const table = readYaml(
  'catalog/topics.yaml',
  Type.Object({
    promise: text,
    each: text,
    plan: text,
    explained: text,
    files: Type.Object({ human: text, agent: text }),
    topics: Type.Array(Type.Object({ asks: text, answer: text })),
  }),
);
/** The only sentence of a reply that names routes. */
export const filesForPrograms = table.files.agent;
const topics = table.topics.map(({ asks, answer }) => ({ asks: new RegExp(asks, 'u'), answer }));

const duration = (hours: number, { business_time }: Option): string =>
  business_time
    ? count(hours, 'business hour')
    : hours >= 48 && hours % 24 === 0
      ? count(hours / 24, 'day')
      : count(hours, 'hour');

/** When an option is delivered, and how often it is changed. */
export const promise = (option: Option): string => {
  const { turnaround_hours, revision_rounds, revision_hours } = option;
  const rounds = count(revision_rounds, 'round');
  const each = revision_hours === null || revision_rounds === 0 ? null : duration(revision_hours, option);
  const promised = fill(table.promise, { duration: duration(turnaround_hours, option), rounds });
  return each === null ? promised : promised + fill(table.each, { duration: each });
};

export const explained = ({ label, hint }: Requirement): string =>
  fill(table.explained, { label, hint: sentence(hint) });

/** Answers a customer who was asked for the requirement. Null if the catalog has no answer. */
export function answerQuestion(
  options: Option[],
  requirement: Requirement | null,
  plans: Iterable<Plan>,
  asker: 'human' | 'agent',
  text: string,
): string | null {
  const question = text.trim().toLowerCase().replaceAll('’', "'");
  const topic = topics.find(
    ({ asks, answer }) => asks.test(question) && (requirement !== null || !answer.includes('{explained}')),
  );
  const facts = {
    plans: Array.from(plans, (plan) =>
      fill(table.plan, { plan: plan.name, quota: count(plan.quota, plan.unit), price: priceText(plan) }),
    ).join(' '),
    files: table.files[asker],
    described: options.map(({ name, description }) => `${name}: ${description}`).join(' '),
    promises: options.map((option) => `${option.name}: ${capital(promise(option))}.`).join(' '),
    explained: requirement ? explained(requirement) : '',
  };
  return topic ? fill(topic.answer, facts) : null;
}
