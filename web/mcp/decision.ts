import { button, element, field, paragraph, problem, textArea } from './dom.ts';
import { whyNoRevision } from '../ui/job/why-no-revision.ts';
import type { Review } from './review-state.ts';

export type Decisions = {
  toStage(stage: Review['stage']): void;
  approve(): void;
  requestChanges(): void;
};

/** The last part of the page: what the customer decides. */
export function decision(review: Review, decisions: Decisions): HTMLElement {
  if (review.stage === 'approving') return approval(review, decisions);
  if (review.stage === 'asking') return request(review, decisions);
  const reason = whyNoRevision(review.job);
  return element('div', { class: 'stack-small' }, [
    element('div', { class: 'row' }, [
      button('Approve', 'primary', () => decisions.toStage('approving'), { id: 'to-approve' }),
      button('Request changes', 'plain', () => decisions.toStage('asking'), {
        id: 'to-ask',
        disabled: reason !== null,
      }),
    ]),
    reason !== null && paragraph(reason, 'small second'),
    problem(review.problem),
  ]);
}

function approval({ notes, words, isBusy, problem: fault }: Review, { toStage, approve }: Decisions) {
  const unsent = notes.length > 0 || words.trim() !== '';
  return element('section', { class: 'box stack', 'aria-labelledby': 'approve' }, [
    element('h2', { id: 'approve' }, ['Approve this delivery?']),
    paragraph('The job ends, and no more changes can be requested.'),
    unsent && paragraph('The changes that you wrote here are not sent.'),
    problem(fault),
    element('div', { class: 'row' }, [
      button(isBusy ? 'Approving…' : 'Approve and end the job', 'primary', approve, { id: 'send', isBusy }),
      button('Back', 'plain', () => toStage('looking'), { id: 'back', isBusy }),
    ]),
  ]);
}

function request(review: Review, { toStage, requestChanges }: Decisions) {
  const { notes, isBusy, problem: fault } = review;
  const words = textArea(
    { value: review.words, rows: 3, most: 20_000, attributes: { id: 'words' } },
    (text) => (review.words = text),
  );
  return element('section', { class: 'box stack', 'aria-labelledby': 'request' }, [
    element('h2', { id: 'request' }, ['Request changes']),
    paragraph('Click a place in a picture and say what to change there.', 'small second'),
    field(notes.length > 0 ? 'Anything else (optional)' : 'What to change', words),
    paragraph('Comments that others of your account left on this delivery are sent as well.', 'small second'),
    problem(fault),
    element('div', { class: 'row' }, [
      button(isBusy ? 'Sending…' : 'Send the request', 'primary', requestChanges, { id: 'send', isBusy }),
      button('Back', 'plain', () => toStage('looking'), { id: 'back', isBusy }),
    ]),
  ]);
}
