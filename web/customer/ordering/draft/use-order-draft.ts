import { useState } from 'react';
import {
  type Input,
  type IntakeSession,
  type ServiceFamily,
  type ServiceOption,
  useOperation,
} from '../../../app/api.ts';
import { useRead } from '../../../app/use-reads.ts';
import { kitRead } from '../new-job.reads.ts';
import { answerField, leftOut, storedText } from './edits.ts';
import { fromKit } from './from-kit.ts';
import { useSaving } from './use-saving.ts';

/** By the service, or by the assistant of the browser. */
type Suggestion = Pick<IntakeSession['suggestions'][number], 'requirement' | 'answer'> & {
  by: IntakeSession['suggestions'][number]['by'] | 'assistant';
};
export type FieldState =
  | { is: 'suggested'; suggestion: Suggestion }
  | { is: 'accepted' | 'copied' | 'answered' | 'empty' };
type Saving = ReturnType<typeof useSaving>;
export type OrderDraft = ReturnType<typeof useOrderDraft>;
/** A draft with the service that it orders. */
export type ServiceDraft = { family: ServiceFamily; option: ServiceOption; draft: OrderDraft };

const stateOfSource = { typed: 'answered', accepted: 'accepted', brand: 'answered', copied: 'copied' } as const;

/** A draft as its author sees it: what is typed, stored and suggested. */
export function useOrderDraft(source: Parameters<typeof useSaving>[0]) {
  const saving = useSaving(source);
  const { session, edits, answered, after } = saving;
  const update = useOperation('updateIntake').mutateAsync;
  const answerIntake = useOperation('answerIntake').mutateAsync;
  /** Answers or leaves a requirement. */
  const settle = async (id: string, body: Input<'answerIntake'>['body']) =>
    answered(await answerIntake({ path: { id }, body }), (field) => field === answerField(body.requirement));
  const { decide, decided } = useDecisions(after, settle);
  /** What was accepted here, newest last. */
  const [accepts, setAccepts] = useState<string[][]>([]);
  /** What an assistant suggests, by requirement. Stored once it is accepted, as if it had been typed. */
  const [offers, setOffers] = useState<Record<string, string>>({});
  const value = (field: string): string => edits[field] ?? storedText(session, field);
  const kit = useRead(kitRead, { enabled: session === null }).data?.brand.facts ?? [];
  const ofKit = fromKit(source.option?.intake_requirements ?? [], value('kit') === leftOut ? [] : kit);
  const suggestions: Suggestion[] = [
    ...Object.entries(offers).map(([requirement, answer]) => ({ requirement, answer, by: 'assistant' as const })),
    ...(session?.suggestions ?? ofKit).filter(({ requirement }) => offers[requirement] === undefined),
  ];
  const suggestionFor = (requirement: string) => suggestions.find((other) => other.requirement === requirement);

  const stateOf = (requirement: string): FieldState => {
    const typed = edits[answerField(requirement)];
    if (typed !== undefined && typed.trim() !== '') return { is: 'answered' };
    const stored = session?.answers.find((other) => other.requirement === requirement);
    if (stored && typed === undefined) return { is: stateOfSource[stored.source] };
    const [suggestion, decision] = [suggestionFor(requirement), decided[requirement]];
    if (suggestion?.by === 'assistant') return { is: 'suggested', suggestion };
    if (typed !== undefined || !suggestion || decision === false) return { is: 'empty' };
    return decision ? { is: 'accepted' } : { is: 'suggested', suggestion };
  };
  const withdraw = (requirements: string[]) =>
    setOffers((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !requirements.includes(name))));
  const isAccepted = (requirement: string) => stateOf(requirement).is === 'accepted';
  const last = accepts.findLast((requirements) => requirements.some(isAccepted))?.filter(isAccepted) ?? null;
  return {
    ...saving,
    settle,
    value,
    /** Also the suggestion that stands in the field. */
    answer: (requirement: string): string => {
      const isOffered = ['suggested', 'accepted'].includes(stateOf(requirement).is);
      return value(answerField(requirement)) || (isOffered ? (suggestionFor(requirement)?.answer ?? '') : '');
    },
    stateOf,
    suggested: suggestions
      .map(({ requirement }) => requirement)
      .filter((requirement) => stateOf(requirement).is === 'suggested'),
    /** Suggests answers, which replace other suggestions. */
    offer: (answers: Record<string, string>) => setOffers((before) => ({ ...before, ...answers })),
    accept: (requirements: string[]) => {
      for (const requirement of requirements) {
        const offer = offers[requirement];
        if (offer !== undefined) saving.setText(answerField(requirement), offer);
      }
      withdraw(requirements);
      const fromService = requirements.filter((requirement) => offers[requirement] === undefined);
      if (fromService.length === 0) return;
      setAccepts((before) => [...before, fromService]);
      void decide(fromService, true);
    },
    dismiss: (requirement: string) =>
      offers[requirement] === undefined ? void decide([requirement], false) : withdraw([requirement]),
    /** Makes an accepted answer a suggestion again. */
    takeBack: (requirement: string) => void decide([requirement], false),
    /** Takes back what was accepted last; null if nothing is left of it. */
    undo: last && (() => void decide(last, false)),
    changeService: (service_family: string, service_type: string) =>
      after(async (id) => answered(await update({ path: { id }, body: { service_family, service_type } }), () => true)),
  };
}

/** Accepts and dismisses suggestions. It shows at once, and the suggestion stands again if it failed. */
function useDecisions(after: Saving['after'], settle: (id: string, body: Input<'answerIntake'>['body']) => unknown) {
  const [decided, setDecided] = useState<Record<string, boolean>>({});
  const decide = async (requirements: string[], accept: boolean) => {
    setDecided((before) => ({ ...before, ...Object.fromEntries(requirements.map((name) => [name, accept])) }));
    try {
      await after(async (id) => {
        for (const requirement of requirements) await settle(id, { requirement, accept });
      });
    } catch {
      // `failure` says what went wrong.
    } finally {
      setDecided((before) =>
        Object.fromEntries(Object.entries(before).filter(([name]) => !requirements.includes(name))),
      );
    }
  };
  return { decide, decided };
}
