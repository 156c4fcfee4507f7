import { expect, test } from 'vitest';
import { changed, emptyDraft, isSendable, joined, withFile, withKey, withoutFile } from './message-draft.ts';

const file = { id: 'file_1', file_name: 'sign.pdf', content_type: 'application/pdf', size_bytes: 3 };

test('an attempt keeps its key for the next attempts', () => {
  const first = withKey({ ...emptyDraft, text: 'Hello' });
  expect(first.key).toMatch(/^[\w-]{36}$/);
  expect(withKey(first)).toEqual(first);
});

test('other words or files need another key', () => {
  const first = withKey({ ...emptyDraft, text: 'Hello', files: [file] });
  expect(changed(first, { text: 'Hello!' }).key).toBeNull();
  expect(withFile(first, { ...file, id: 'file_2' }).key).toBeNull();
  expect(withoutFile(first, 'file_1')).toEqual({ text: 'Hello', files: [], key: null });
});

test('files without words are not sent', () => {
  expect(isSendable(emptyDraft)).toBe(false);
  expect(isSendable({ ...emptyDraft, text: ' \n', files: [file] })).toBe(false);
  expect(isSendable({ ...emptyDraft, text: ' yes ' })).toBe(true);
});

test('an answer that is not needed any more goes to the end of the message', () => {
  const answer = { ...emptyDraft, text: 'Leave it out.', files: [file] };
  expect(joined(emptyDraft, answer)).toEqual({ text: 'Leave it out.', files: [file], key: null });
  expect(joined({ ...emptyDraft, text: 'By the way' }, answer).text).toBe('By the way\n\nLeave it out.');
});
