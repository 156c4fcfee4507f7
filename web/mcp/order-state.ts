import { type Answers, composeInstructions, readInstructions } from '../../contract/instructions.ts';
import type {
  Catalog,
  NewJob,
  OptionRequirement,
  Preflight,
  ServiceFamily,
  ServiceOption,
} from '../../client/generated/types.gen.ts';

export type Service = { family: ServiceFamily; option: ServiceOption };

/** The answer of `preflight_job`: with the instructions, if the person answered in a form of the host. */
export type Checked = { preflight: Preflight; customer_instructions?: string };

export type Order = {
  /** As the model wrote it. What the form does not show goes along unchanged. */
  draft: Partial<NewJob>;
  preflight: Preflight;
  /** Null until the catalog is read. */
  service: Service | null;
  title: string;
  answers: Answers;
  words: string;
  stage: 'filling' | 'confirming';
  isBusy: boolean;
  problem: string | null;
};

export const openOrder = (draft: Partial<NewJob>, { preflight, customer_instructions }: Checked): Order => ({
  draft,
  preflight,
  service: null,
  title: draft.customer_title ?? '',
  answers: {},
  words: customer_instructions ?? draft.customer_instructions ?? '',
  stage: 'filling',
  isBusy: false,
  problem: null,
});

/** After another check of what the form holds. */
export function takeChecked(order: Order, { preflight, customer_instructions: text }: Checked): void {
  order.preflight = preflight;
  if (text === undefined) return;
  if (order.service) Object.assign(order, readInstructions(labelsOf(order.service), text));
  else order.words = text;
}

/** Puts the instructions into the fields of the service. */
export function fillFields(order: Order, { service_families }: Catalog): void {
  const family = service_families.find(({ id }) => id === order.draft.service_family);
  const option = family?.service_options.find(({ id }) => id === order.draft.service_type);
  if (!family || !option) return;
  order.service = { family, option };
  Object.assign(order, readInstructions(labelsOf(order.service), order.words));
}

const labelsOf = ({ option }: Service) => option.intake_requirements.map(({ label }) => label);

export const draftOf = ({ draft, service, title, answers, words }: Order): Partial<NewJob> => ({
  ...draft,
  customer_title: title.trim(),
  customer_instructions: service ? composeInstructions(labelsOf(service), answers, words) : words,
});

/** Required fields that are empty. An order without them is taken, and the studio asks. */
export const missingOf = ({ service, answers }: Order): OptionRequirement[] =>
  service?.option.intake_requirements.filter(({ label, optional }) => !optional && !answers[label]?.trim()) ?? [];

/** What stands in the way that filling in the form does not change. */
export const blocking = ({ blocking_reasons }: Preflight): string[] =>
  blocking_reasons.filter(({ code }) => code !== 'intake_incomplete').map(({ message }) => message);

export function whyNotSent({ title, words, answers }: Order): string | null {
  if (title.trim() === '') return 'Give the order a title.';
  const isEmpty = words.trim() === '' && Object.values(answers).every((answer) => answer.trim() === '');
  return isEmpty ? 'Write what you want to have made.' : null;
}
