import { fieldOf, labelOf, studioNames } from '../../contract/jobs/optional-fields.ts';
import { type Attributes, button, element, field, paragraph, problem, question, textArea, words } from './dom.ts';
import { facts, head } from './job-card.ts';
import { blocking, missingOf, type Order, type Requirement, verdictOf } from './order-state.ts';

export type OrderActions = {
  check(): void;
  toStage(stage: Order['stage']): void;
  send(): void;
};

type Terms = { canCall: boolean; sayTime(iso: string): string };

export function orderForm(order: Order, actions: OrderActions, terms: Terms): (HTMLElement | null)[] {
  const { service, preflight } = order;
  const { status, look, lacks } = verdictOf(preflight);
  return [
    head(service ? `Order: ${service.name}` : 'Order', look, status),
    service && words(service.description),
    orderFacts(order, terms),
    element('section', { class: 'box stack', 'aria-label': 'Draft' }, fieldsOf(order)),
    ...[...blocking(preflight), ...lacks].map((reason) => paragraph(reason, 'bad breaks')),
    terms.canCall ? sending(order, actions) : paragraph('Tell your assistant to order it.', 'small second'),
  ];
}

function orderFacts({ preflight, draft }: Order, { sayTime }: Terms): HTMLElement {
  const { usage, first_delivery_at, wanted_by } = preflight;
  const files = draft.file_ids?.length ?? 0;
  return facts([
    [`${usage.unit === 'job' ? 'Jobs' : usage.unit} left`, `${usage.remaining} of ${usage.quota}`],
    ['First delivery planned', sayTime(first_delivery_at)],
    ...studioNames.flatMap((name) => {
      const text = draft[name] ?? '';
      return text ? [[labelOf(name, 'Your'), fieldOf(name).kind === 'date' ? sayTime(text) : text] as const] : [];
    }),
    ...(wanted_by && !wanted_by.fits ? [['Possible at the earliest', sayTime(wanted_by.earliest)] as const] : []),
    ...(files > 0 ? [['Files attached', String(files)] as const] : []),
  ]);
}

function fieldsOf(order: Order): HTMLElement[] {
  const requirements = order.service?.requirements ?? [];
  const title = input('text', order.title, (text) => (order.title = text), { id: 'title', maxlength: '200' });
  const others = textArea(
    { value: order.words, rows: 3, most: 20_000, attributes: { id: 'words' } },
    (text) => (order.words = text),
  );
  return [
    field('Title', title),
    ...requirements.map((requirement, at) => answerField(order, requirement, `answer-${at}`)),
    field(requirements.length > 0 ? 'Anything else (optional)' : 'What to make', others),
  ];
}

function answerField(order: Order, { label, kind, choices, optional, hint, example }: Requirement, id: string) {
  const value = order.answers[label] ?? '';
  const keep = (text: string) => (order.answers[label] = text);
  const attributes = { id, placeholder: example };
  const control =
    kind === 'choice'
      ? choice(choices, value, keep, id)
      : kind === 'text'
        ? textArea({ value, rows: 2, most: 5_000, attributes }, keep)
        : input(kind === 'url' || kind === 'date' ? kind : 'text', value, keep, attributes);
  return field(optional ? `${label} (optional)` : label, control, hint);
}

function input(type: string, value: string, keep: (text: string) => void, attributes: Attributes) {
  // A date that a model wrote in words would vanish from a date field.
  const isDay = /^(\d{4}-\d\d-\d\d)?$/.test(value);
  const made = element('input', { type: type === 'date' && !isDay ? 'text' : type, dir: 'auto', ...attributes }, [], {
    input: () => keep(made.value),
  });
  made.value = value;
  return made;
}

/** With an answer that is none of the choices, if the draft has one. */
function choice(choices: string[], value: string, keep: (text: string) => void, id: string): HTMLElement {
  const listed = ['', ...choices, ...(value === '' || choices.includes(value) ? [] : [value])];
  const options = listed.map((text) => element('option', { value: text, selected: text === value }, [text || '—']));
  return element('select', { id }, options, { change: ({ target }) => keep((target as HTMLSelectElement).value) });
}

function sending(order: Order, actions: OrderActions): HTMLElement {
  const { check, toStage } = actions;
  const { stage, isBusy, preflight, problem: fault } = order;
  const isBlocked = blocking(preflight).length > 0;
  if (stage === 'confirming' && !isBlocked) return confirmation(order, actions);
  return element('div', { class: 'stack-small' }, [
    problem(fault),
    element('div', { class: 'row' }, [
      button('Send the order', 'primary', () => toStage('confirming'), {
        id: 'to-confirm',
        disabled: isBlocked,
        isBusy,
      }),
      button(isBusy ? 'Checking…' : 'Check again', 'plain', check, { id: 'check', isBusy }),
    ]),
  ]);
}

function confirmation(order: Order, { toStage, send }: OrderActions): HTMLElement {
  const { isBusy, preflight, problem: fault } = order;
  const missing = missingOf(order).map(({ label }) => label);
  return question(
    { id: 'confirm', title: 'Send this order to the studio?', isBusy, fault },
    [
      paragraph(`It uses one of the ${preflight.usage.remaining} jobs that are left.`),
      missing.length > 0 && paragraph(`Not answered: ${missing.join(', ')}. The studio may have to ask.`),
    ],
    { label: 'Send', busyLabel: 'Sending…', onClick: send, onBack: () => toStage('filling') },
  );
}
