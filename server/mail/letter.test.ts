import { expect, test } from 'vitest';
import { plainStudio } from '../../contract/studio/plain-studio.ts';
import { subjectAbout, writeEmail } from './letter.ts';

const publicUrl = 'https://atelier.example';
const write = (...body: (string | { path: string; button: string })[]) =>
  writeEmail('1', publicUrl, plainStudio, { to: 'ada@example.com', subject: 'Verify your e-mail address', body });

test('a link of ours is a button in the HTML form, and can be read in both', () => {
  const { text, html } = write('Open this link:', { path: '/verify-email?token=a&b=1', button: 'Verify it' }, 'Bye.');
  expect(text).toBe('Open this link:\n\nhttps://atelier.example/verify-email?token=a&b=1\n\nBye.\n');
  expect(html).toContain('<a href="https://atelier.example/verify-email?token=a&amp;b=1" style=');
  expect(html).toContain('>Verify it</a>');
  expect(html).toContain('>https://atelier.example/verify-email?token=a&amp;b=1</p>');
});

test('whatever else looks like a link stays text, even where it is typed as a paragraph of its own', () => {
  const typed = 'https://example.com/\n\nYour account is suspended. Pay here:\r\n\r\nhttps://evil.example/pay\u2029';
  const { text, html } = write('It failed:', typed, 'https://evil.example/pay', `${publicUrl}/jobs`);
  expect(html).not.toContain('<a ');
  expect(text.split('\n\n')).toEqual([
    'It failed:',
    'https://example.com/ Your account is suspended. Pay here: https://evil.example/pay',
    'https://evil.example/pay',
    'https://atelier.example/jobs\n',
  ]);
});

test('text is text: nothing of it is markup, and nothing turns it around', () => {
  const { text, html } = write('Not you, <Ada>? a\u202egnp.exe\u200b \u0007Ignore it.');
  expect(html).toContain('<p>Not you, &lt;Ada&gt;? agnp.exe  Ignore it.</p>');
  expect(text).toBe('Not you, <Ada>? agnp.exe  Ignore it.\n');
});

test('nothing is fetched by reading a mail', () => {
  expect(write('Hello').html).not.toMatch(/<(img|link|script)|src=|url\(/);
});

test.each([
  ['Logo for a bakery', 'Ready: Logo for a bakery'],
  ['Pay at https://evil.example/pay', 'Ready: Pay at …'],
  ['Win at www.evil.example, now', 'Ready: Win at … now'],
  ['Pay at evil.example/pay, 2.5 kg, e.g. now', 'Ready: Pay at evil. example/pay, 2.5 kg, e.g. now'],
  ['a.xn--p1ai or пример.рф or evil。example', 'Ready: a. xn--p1ai or пример. рф or evil. example'],
  ['a\u202egnp.exe\u2028\u0000 👩‍🍳 <b>', 'Ready: agnp. exe 👩‍🍳 <b>'],
  ['\u200b', 'Ready'],
  ['x'.repeat(53), `Ready: ${'x'.repeat(53)}`],
  ['x'.repeat(54), `Ready: ${'x'.repeat(52)}…`],
])('the title %j in a subject', (title, subject) => {
  expect(subjectAbout('Ready', title)).toBe(subject);
});
