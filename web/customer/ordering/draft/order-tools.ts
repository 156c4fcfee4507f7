import { faultOf } from '../../../../contract/ordering/fits-kind.ts';
import { operationQuery, queryClient, type ServiceOption } from '../../../app/api.ts';
import { noInput, pageTool, refused } from '../../../app/page-tool.ts';
import type { ServiceDraft } from './use-order-draft.ts';
import { orderOf } from './use-order.ts';

/** `reason`: why the person cannot change anything now. */
export type OrderState = ServiceDraft & { reason: string | null };

/** None of them orders: the person accepts what is suggested, and presses the button. */
export const orderTools = (now: () => OrderState) => [
  pageTool(
    {
      name: 'read_order',
      title: 'Read the order',
      description: 'The order that is open on this page: its service, what the person wrote, and each field.',
      inputSchema: noInput,
    },
    () => readOrder(now()),
  ),
  pageTool(
    {
      name: 'suggest_answers',
      title: 'Suggest answers',
      description:
        'Suggests answers for fields of read_order that have none. The person sees each as a suggestion, which counts only once they accept it. Suggest only what the person said; invent nothing.',
      inputSchema: {
        type: 'object',
        properties: {
          answers: {
            type: 'object',
            description: 'Answers by the name of the field.',
            additionalProperties: { type: 'string', maxLength: 5_000 },
          },
        },
        required: ['answers'],
        additionalProperties: false,
      },
      writes: true,
    },
    ({ answers }) => suggest(now(), answers),
  ),
  pageTool(
    {
      name: 'check_order',
      title: 'Check the order',
      description:
        'Checks what is accepted of the order: what is missing, plan and quota, and the first delivery. Orders nothing.',
      inputSchema: noInput,
    },
    () => checkOrder(now()),
  ),
];

function readOrder({ family, option, draft }: OrderState) {
  return {
    service_family: family.id,
    service_type: option.id,
    service: `${family.name}: ${option.name}`,
    title: draft.value('title'),
    words: draft.value('words'),
    fields: option.intake_requirements.map(({ label, kind, choices, optional }) => ({
      field: label,
      hint: family.intake_hints.find(({ requirement }) => requirement === label)?.hint ?? '',
      kind,
      ...(choices.length > 0 ? { choices } : {}),
      optional,
      state: draft.stateOf(label).is,
      answer: draft.answer(label),
    })),
  };
}

async function checkOrder({ draft, ...service }: OrderState) {
  if (draft.isUnsaved) await draft.after(() => Promise.resolve());
  const body = orderOf(draft.live.current.session, service);
  return queryClient.fetchQuery({ ...operationQuery('preflightJob', { body }), staleTime: 0 });
}

/** All or nothing, so that a model corrects its call. What the person answered is kept. */
function suggest({ option, draft, reason }: OrderState, answers: unknown) {
  if (reason) return refused(reason);
  if (typeof answers !== 'object' || answers === null) return refused('answers: is required');
  const offered = Object.entries(answers as Record<string, unknown>);
  const fault = offered.map(([field, text]) => whyRefused(option, field, text)).find((message) => message !== null);
  if (fault) return refused(fault);
  const texts = offered.map(([field, text]) => [field, asListed(option, field, (text as string).trim())] as const);
  const isFree = ([field]: readonly [string, string]) => ['empty', 'suggested'].includes(draft.stateOf(field).is);
  const suggested = texts.filter(isFree);
  draft.offer(Object.fromEntries(suggested));
  return {
    suggested: suggested.map(([field]) => field),
    kept: texts.filter((text) => !isFree(text)).map(([field]) => field),
    next_action: 'The person accepts or dismisses each suggestion on the page. Then check_order.',
  };
}

const requirementIn = (option: ServiceOption, field: string) =>
  option.intake_requirements.find(({ label }) => label === field);

/** A choice as the catalog spells it, which the form can show. */
const asListed = (option: ServiceOption, field: string, text: string): string =>
  requirementIn(option, field)?.choices.find((choice) => choice.toLowerCase() === text.toLowerCase()) ?? text;

/** By the rules of the form, so that what the person accepts can be stored. */
function whyRefused(option: ServiceOption, field: string, text: unknown): string | null {
  const requirement = requirementIn(option, field);
  if (!requirement || requirement.kind === 'files') return `${field.slice(0, 100)}: is not a field that takes a text`;
  if (typeof text !== 'string' || text.trim() === '') return `${field}: must be a text`;
  const fault = faultOf(requirement, text);
  return fault && `${field}: ${fault}`;
}
