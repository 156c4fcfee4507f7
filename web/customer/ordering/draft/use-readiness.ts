import { hoursAfter } from '../../../../contract/studio/business-time.ts';
import { useServiceNames } from '../../../app/service-names.ts';
import { useBlockingWords } from '../../account/plan-limit.tsx';
import { answerField } from './edits.ts';
import type { ServiceDraft } from './use-order-draft.ts';
import type { Order } from './use-order.ts';

/** What preflight reports and no order is refused for, or only kept. */
const bearable: string[] = ['intake_incomplete', 'confirmation_required'];

/** What an order lacks, and why it cannot be sent. `waiting`: another reason why not yet. */
export function useReadiness({ option, draft }: ServiceDraft, { preflight }: Order, waiting: string | null) {
  const blocking = preflight?.blocking_reasons.find(({ code }) => !bearable.includes(code)) ?? null;
  const requirements = option.intake_requirements;
  const isOpen = (label: string) =>
    draft.value(answerField(label)).trim() === '' && draft.stateOf(label).is !== 'accepted';
  /** Without an answer, but perhaps with a suggestion. */
  const open = requirements.flatMap(({ label, optional }) => (optional || !isOpen(label) ? [] : [label]));
  const refused = Object.entries(draft.refused).some(([field, { text }]) => draft.value(field) === text);
  const isEmpty = [draft.value('words'), ...requirements.map(({ label }) => draft.answer(label))].every(
    (text) => text.trim() === '',
  );
  const need = isEmpty ? 'Say what you need.' : null;
  return {
    blocking,
    /** Whether the order waits until an owner or admin confirms it. */
    waits: preflight?.blocking_reasons.some(({ code }) => code === 'confirmation_required') ?? false,
    open,
    missing: open.filter((label) => !draft.suggested.includes(label)),
    isEmpty,
    /** Why there is nothing to order yet. */
    need,
    reason: useBlockingWords(blocking)?.title ?? waiting ?? (refused ? 'A field was refused: see there why.' : need),
    due: hoursAfter(useServiceNames().businessHours, Date.now(), option.turnaround_hours),
  };
}
