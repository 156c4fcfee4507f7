import type { Catalog } from '../../server/catalog/catalog.ts';
import { converse, type Exchange, open } from '../../server/intake/conversation.ts';
import {
  accepted,
  answersOf,
  asChanged,
  dismissed,
  type Draft,
  isReady,
  leftOpen,
  newDraft,
  suggestionsOf,
} from '../../server/intake/draft.ts';
import { briefOf } from '../../server/intake/brief.ts';

/** What the concierge has understood after a message, and what it asks next. */
export type Turn = {
  /** The label of a requirement, "service", "open" for all that is still open, or null when nothing is asked any more. */
  asks: string | null;
  reply: string;
  /** family/option, once chosen. */
  service: string | null;
  /** What the brief would say now, by requirement. */
  answers: Record<string, string>;
  /** What the concierge suggests and the customer has not yet decided on. */
  suggestions: Record<string, string>;
  /** What the suggestions were read from, and all that the customer wrote. */
  spans: string[];
  words: string;
  /** The day that is wished for. */
  wanted_by: string | null;
  /** The text of the job, when the brief is ready. */
  brief: string | null;
  say: (text: string) => Turn;
  /** Accepts the suggestions for which `isRight` and dismisses the others, as with the buttons. */
  decide: (isRight: (label: string, answer: string) => boolean) => Turn;
  /** Leaves open what is still open, as with the button. */
  leaveOpen: () => Turn;
};

export type Concierge = (opening: { family: string; option: string | null; message: string }) => Turn;

const said = (text: string) => ({
  text,
  files: [],
  findings: [],
  asker: 'human' as const,
  now: new Date('2026-11-22'),
});

/** The intake of the server. Nothing else in the corpus of strangers knows how it works. */
export const conciergeOf =
  (catalog: Catalog): Concierge =>
  ({ family: id, option, message }) => {
    const family = catalog.families.get(id)!;
    const turn = (draft: Draft, reply: string): Turn => {
      const { question, service_type } = draft;
      const suggestions = suggestionsOf(family, draft);
      const pairs = (all: { requirement: string; answer: string }[]) =>
        Object.fromEntries(all.map(({ requirement, answer }) => [requirement, answer]));
      const brief = isReady(family, draft) ? briefOf(family, draft, new Date('2026-11-22')) : null;
      const asks =
        question === null
          ? null
          : 'service' in question
            ? 'service'
            : 'open' in question
              ? 'open'
              : question.requirement;
      return {
        asks,
        reply,
        service: service_type && `${id}/${service_type}`,
        answers: pairs(answersOf(family, draft)),
        suggestions: pairs(suggestions),
        spans: suggestions.map(({ span }) => span),
        words: draft.words,
        wanted_by: draft.wanted_by?.slice(0, 10) ?? null,
        brief: brief && `${brief.customer_title}\n${brief.customer_instructions}`,
        say: (text) => after(converse(catalog, draft, said(text))),
        decide: (isRight) =>
          suggestions.length === 0
            ? turn(draft, reply)
            : changed(
                suggestions.reduce(
                  (decided, one) =>
                    isRight(one.requirement, one.answer) ? accepted(decided, one) : dismissed(decided, one),
                  draft,
                ),
                reply,
              ),
        leaveOpen: () => changed((question && 'open' in question ? question.open : []).reduce(leftOpen, draft), reply),
      };
    };
    const changed = (draft: Draft, reply: string) => turn(asChanged(family, draft), reply);
    const after = ({ draft, reply }: Exchange) => turn(draft, reply);
    return after(open(catalog, newDraft(family, option), said(message)));
  };
