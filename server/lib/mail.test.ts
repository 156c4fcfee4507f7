import { expect, test } from 'vitest';
import { emailHtml } from './mail.ts';

const email = {
  to: 'ada@example.com',
  subject: 'Verify your e-mail address',
  text: 'Open this link:\n\nhttps://atelier.example/verify-email?token=a&b=1\n\nNot you, <Ada>? Ignore it.\nThank you.\n',
};

test('a line that is a link becomes a button, and can still be read', () => {
  const html = emailHtml(email);
  expect(html).toContain('<a href="https://atelier.example/verify-email?token=a&amp;b=1" style=');
  expect(html).toContain('>Verify your e-mail address</a>');
  expect(html).toContain('>https://atelier.example/verify-email?token=a&amp;b=1</p>');
});

test('the button says what the link is for, where the subject does not', () => {
  expect(emailHtml({ ...email, button: 'That was me' })).toContain('>That was me</a>');
});

test('text is text: nothing of it is markup, and lines stay lines', () => {
  expect(emailHtml(email)).toContain('<p>Not you, &lt;Ada&gt;? Ignore it.<br>Thank you.</p>');
});

test('nothing is fetched by reading a mail', () => {
  expect(emailHtml(email)).not.toMatch(/<(img|link|script)|src=|url\(/);
});
