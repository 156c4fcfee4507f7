import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { messagesOf } from '../../client/cli/chat.ts';

/** What a terminal sends for the key Enter, and around pasted text. */
const enter = '\r';
const pasted = (text: string) => `\u001b[200~${text.replaceAll('\n', '\r')}\u001b[201~`;

async function messages(typed: string, terminal: boolean): Promise<string[]> {
  const input = new PassThrough();
  const lines = createInterface({ input, output: new PassThrough(), terminal });
  const read = Array.fromAsync(messagesOf(lines, input));
  input.end(typed);
  return read;
}

test('in a terminal each line is a message, and what is pasted is one', async () => {
  const typed = ['Rise Bakery', enter, pasted('Audience: families\nStyle: warm\nUsage: signs'), enter, 'thanks', enter];
  expect(await messages(typed.join(''), true)).toEqual([
    'Rise Bakery',
    'Audience: families\nStyle: warm\nUsage: signs',
    'thanks',
  ]);
});

test('pasted text can be gone on with before it is sent', async () => {
  expect(await messages(['Hello: ', pasted('one\ntwo'), ' and three', enter].join(''), true)).toEqual([
    'Hello: one\ntwo and three',
  ]);
});

test('without a terminal each line is a message', async () => {
  expect(await messages('Rise Bakery\nfamilies\n/quit\n', false)).toEqual(['Rise Bakery', 'families', '/quit']);
});
