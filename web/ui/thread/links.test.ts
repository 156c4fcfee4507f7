import { expect, test } from 'vitest';
import { textAndLinks } from './links.ts';

const links = (text: string) => textAndLinks(text).flatMap(({ text: shown, href }) => (href === null ? [] : [shown]));

test.each([
  ['See https://rise.example/a?b=1#c.', ['https://rise.example/a?b=1#c']],
  ['(https://rise.example/a_(b)), “http://two.example”!', ['https://rise.example/a_(b)', 'http://two.example']],
  ['**https://rise.example/x**', ['https://rise.example/x']],
  ['HTTPS://RISE.EXAMPLE', ['HTTPS://RISE.EXAMPLE']],
  ['https:// and https://', []],
  ['javascript:alert(1) data:text/html,x ftp://x.example www.rise.example rise.example', []],
  ['<a href="https://rise.example">x</a>', ['https://rise.example']],
])('%j links %j', (text, expected) => expect(links(text)).toEqual(expected));

test('nothing of the text is lost', () => {
  const text = 'One https://a.example, two\nhttps://b.example.\n(https://c.example)) end';
  expect(
    textAndLinks(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});
