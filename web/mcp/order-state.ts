import { type Answers, composeInstructions, readInstructions } from '../../contract/jobs/instructions.ts';
import type {
  NewJob,
  OptionRequirement,
  Preflight,
  ServiceFamily,
  ServiceOption,
} from '../../client/generated/types.gen.ts';

type Hint = ServiceFamily['intake_hints'][number] & Partial<Pick<OptionRequirement, 'kind' | 'choices'>>;
/** As `get_catalog` answers a family: what its hints say once, its options do not repeat. */
export type ToolCatalog = {
  service_families: (Omit<ServiceFamily, 'intake_hints' | 'service_options'> & {
    intake_hints: Hint[];
    service_options: (Pick<ServiceOption, 'id' | 'name' | 'description'> & {
      intake_requirements?: { label: string }[];
    })[];
  })[];
};

export type Requirement = { label: string; hint: string; example: string; optional: boolean } & Pick<
  OptionRequirement,
  'kind' | 'choices'
>;
export type Service = { name: string; description: string; requirements: Requirement[] };

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
export function fillFields(order: Order, { service_families }: ToolCatalog): void {
  const family = service_families.find(({ id }) => id === order.draft.service_family);
  const option = family?.service_options.find(({ id }) => id === order.draft.service_type);
  if (!family || !option) return;
  const labels = option.intake_requirements?.map(({ label }) => label) ?? family.intake_requirements;
  const requirements = family.intake_hints
    .filter(({ requirement }) => labels.includes(requirement))
    .map(({ requirement: label, kind = 'text', choices = [], ...words }) => ({ label, kind, choices, ...words }));
  order.service = { name: option.name, description: option.description, requirements };
  Object.assign(order, readInstructions(labelsOf(order.service), order.words));
}

const labelsOf = ({ requirements }: Service) => requirements.map(({ label }) => label);

export const draftOf = ({ draft, service, title, answers, words }: Order): Partial<NewJob> => ({
  ...draft,
  customer_title: title.trim(),
  customer_instructions: service ? composeInstructions(labelsOf(service), answers, words) : words,
});

/** Required fields that are empty. An order without them is taken, and the studio asks. */
export const missingOf = ({ service, answers }: Order): Requirement[] =>
  service?.requirements.filter(({ label, optional }) => !optional && !answers[label]?.trim()) ?? [];

const isFilledIn = ({ code }: Preflight['blocking_reasons'][number]) => code !== 'intake_incomplete';

/** What stands in the way that filling in the form does not change. */
export const blocking = ({ blocking_reasons }: Preflight): string[] =>
  blocking_reasons.filter(isFilledIn).map(({ message }) => message);

type Verdict = { status: string; look: 'good' | 'turn' | 'bad'; lacks: string[] };

/** The verdict of the last check, and what filling in the form would change. */
export function verdictOf({ ready_to_create, blocking_reasons }: Preflight): Verdict {
  const lacks = blocking_reasons.filter((reason) => !isFilledIn(reason)).map(({ message }) => message);
  if (ready_to_create) return { status: 'Can be ordered', look: 'good', lacks };
  return lacks.length === blocking_reasons.length
    ? { status: 'Answers are missing', look: 'turn', lacks }
    : { status: 'Cannot be ordered now', look: 'bad', lacks };
}

export function whyNotSent({ title, words, answers }: Order): string | null {
  if (title.trim() === '') return 'Give the order a title.';
  const isEmpty = words.trim() === '' && Object.values(answers).every((answer) => answer.trim() === '');
  return isEmpty ? 'Write what you want to have made.' : null;
}
