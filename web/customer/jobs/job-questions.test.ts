import { expect, test } from 'vitest';
import type { Message } from '../../app/api.ts';
import { openQuestions, outcomeOf } from './job-questions.ts';

const at = '2026-11-22T12:00:00.000Z';
const question = (changes: Partial<Message> = {}) =>
  ({
    id: 'msg_q',
    author: { kind: 'studio', name: 'The studio' },
    question: true,
    mine: false,
    answered_at: null,
    closed_at: null,
    withdrawn_at: null,
    created_at: '2026-11-22T11:00:00.000Z',
    ...changes,
  }) as Message;
const answer = (changes: Partial<Message>) =>
  question({ id: 'msg_a', question: false, author: { kind: 'customer', name: 'Noor' }, created_at: at, ...changes });

test('a question is open until it is answered, withdrawn or closed', () => {
  const all = [question(), question({ answered_at: at }), question({ withdrawn_at: at }), question({ closed_at: at })];
  expect(openQuestions([...all, answer({})])).toEqual([question()]);
});

test('the answer is the message of its moment: a colleague, or the reader', () => {
  const messages = (mine: boolean) => [question({ answered_at: at }), answer({ mine })];
  expect(outcomeOf(['msg_q'], messages(false))).toEqual({ kind: 'answered', by: 'Noor', mine: false });
  expect(outcomeOf(['msg_q'], messages(true))).toEqual({ kind: 'answered', by: 'Noor', mine: true });
});

test('a question that was taken back, or that a move of the studio closed', () => {
  expect(outcomeOf(['msg_q'], [question({ withdrawn_at: at })])).toEqual({ kind: 'withdrawn' });
  expect(outcomeOf(['msg_q'], [question({ closed_at: at })])).toEqual({ kind: 'closed' });
});

test('no outcome while one is open, or without a question', () => {
  expect(outcomeOf(['msg_q', 'msg_2'], [question({ answered_at: at }), question({ id: 'msg_2' })])).toBeNull();
  expect(outcomeOf([''], [question({ answered_at: at })])).toBeNull();
});
