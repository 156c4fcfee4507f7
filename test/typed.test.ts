import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanCode, cleanDeviceCode, cleanEmail, cleanKey, cleanMailToken, readTime } from '../contract/typed.ts';
import { cleanKey as cleanKeyOfClient } from '../client/generated/typed.ts';

const ada = 'ada@example.com';

describe('an address, as programs copy it', () => {
  test.each([
    ['Outlook, a recipient', 'Ada Lovelace <ada@example.com>'],
    ['Outlook, the line To', 'Ada Lovelace <ada@example.com>; '],
    ['Outlook, a contact without a name', "'ada@example.com' <ada@example.com>"],
    ['Outlook, the name of a contact', 'Ada Lovelace (ada@example.com)'],
    ['Outlook, that contact as a recipient', 'Ada Lovelace (ada@example.com) <ada@example.com>'],
    ['Exchange, last name first', '"Lovelace, Ada" <ada@example.com>'],
    ['Gmail, a recipient', '"Ada Lovelace" <ada@example.com>,'],
    ['Apple Mail, a recipient', 'Ada Lovelace <ada@example.com>\n'],
    ['a mail program, the address alone', '<ada@example.com>'],
    ['the link of a page', 'mailto:ada@example.com'],
    ['the link of a page with a subject', 'MAILTO:ada@example.com?subject=Hello%20there'],
    ['Slack, raw', '<mailto:ada@example.com|ada@example.com>'],
    ['Slack, raw, in another case', '<mailto:ada@example.com|Ada@Example.com>'],
    ['Excel, a cell', 'ada@example.com\r\n'],
    ['Excel, a cell with a line break', '"ada@example.com\n"'],
    ['a page, no-break spaces', '\u00a0ada@example.com\u202f'],
    ['Word, a zero-width space', '\u200bada@\u200bexample.com'],
    ['Windows, marks of direction', '\u202aada@example.com\u202c'],
    ['a file with a byte order mark', '\ufeffada@example.com'],
    ['a PDF, soft hyphens', 'ada@exam\u00adple.com'],
    ['a sentence', 'ada@example.com.'],
    ['a list with commas', ' ada@example.com, '],
    ['a Japanese input method', 'ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ'],
    ['a Chinese input method', 'ada@example。com'],
    ['quotes of a text program', '“ada@example.com”'],
    ['a phone, which adds a space', 'ada@example.com '],
  ])('%s: %j', (_, text) => expect(cleanEmail(text)).toBe(ada));

  test.each([
    ['two addresses', 'Ada <ada@example.com>; Bob <bob@example.com>'],
    ['two addresses without names', 'ada@example.com, bob@example.com'],
    ['a name that is another address', 'bob@example.com <ada@example.com>'],
    ['two addresses with a bar', 'ada@example.com|bob@example.com'],
    ['a name and two addresses with a bar', 'Ada <ada@example.com|bob@example.com>'],
    ['two addresses with a question mark', 'ada@example.com?bob@example.com'],
    ['the link of a page to two people', 'mailto:ada@example.com?cc=bob@example.com'],
    ['that link, encoded', 'mailto:ada@example.com?cc=bob%40example.com'],
    ['a link that shows another address', '<mailto:ada@example.com|bob@example.com>'],
    ['a space inside', 'ada @example.com'],
    ['letters of another script', 'аda@example.com'],
    ['letters that only look alike', 'ⓐda@example.com'],
    ['no address', 'Ada'],
    ['nothing', ''],
    ['too long to be read', `${' '.repeat(1_000)}${ada}`],
  ])('%s stays as it is: %j', (_, text) => expect(cleanEmail(text)).toBe(text));

  test.each(["'o.hara@example.com", 'Ada+News@Example.COM', "d'arcy_1-2@mail.example.co.uk"])('%j is clean', (text) =>
    expect(cleanEmail(text)).toBe(text),
  );
});

describe('a code', () => {
  test.each([
    ['Google Authenticator', '123 456'],
    ['1Password', '123\u00a0456'],
    ['a mail', '123-456'],
    ['a text program', '123–456'],
    ['a copied line', '123456\n'],
    ['a Japanese input method', '１２３４５６'],
    ['an Arabic keyboard', '١٢٣٤٥٦'],
    ['a Persian keyboard', '۱۲۳ ۴۵۶'],
  ])('of %s: %j', (_, text) => expect(cleanCode(text)).toBe('123456'));

  test.each([
    ['without its dash', 'aB3dEfGh1j'],
    ['with spaces', ' aB3dE fGh1j '],
    ['with a longer dash', 'aB3dE—fGh1j'],
    ['with a dash that breaks no line', 'aB3dE\u2011fGh1j'],
    ['with a line break', 'aB3dE-fGh1j\r\n'],
    ['in full width', 'ａＢ３ｄＥ－ｆＧｈ１ｊ'],
  ])('for recovery %s: %j', (_, text) => expect(cleanCode(text)).toBe('aB3dE-fGh1j'));

  test.each(['12345', '1234567', 'not-a-code', '', '123.456'])('%j stays as it is', (text) =>
    expect(cleanCode(text)).toBe(text),
  );

  test.each(['kfvz-bxxt', 'KFVZ BXXT', 'KFVZBXXT', 'kfvz–bxxt\n', 'ＫＦＶＺ ＢＸＸＴ', 'K F V Z B X X T'])(
    'of a program: %j',
    (text) => expect(cleanDeviceCode(text)).toBe('KFVZBXXT'),
  );
});

const mailToken = 'XkV0c2hTQ1p4b2RzYWdlZQ_-XkV0c2hTQ1p4b2RzYWc';
test.each([`${mailToken}.`, `${mailToken}>`, `${mailToken.slice(0, 20)}\r\n ${mailToken.slice(20)}`, ` ${mailToken}`])(
  'the token of a link: %j',
  (text) => expect(cleanMailToken(text)).toBe(mailToken),
);

const key = `atl_01jd3vsh_${'Ab1'.repeat(16)}Z`;
const secret = `whsec_${'Ab1+'.repeat(10)}Ab/=`;

describe('a key', () => {
  test.each([
    ['a file', `${key}\n`],
    ['a terminal, wrapped', `${key.slice(0, 40)}\n${key.slice(40)}`],
    ['a terminal, wrapped early', `${key.slice(0, 7)}\r\n  ${key.slice(7)}`],
    ['a header', `Bearer ${key}`],
    ['a whole header', `Authorization: Bearer ${key}`],
    ['a shell', `export ATELIER_KEY="${key}"`],
    ['an env file', `ATELIER_KEY='${key}'`],
    ['JSON', `"api_key": "${key}",`],
    ['a page', `\u200b${key}\u00a0`],
    ['a text program', `“${key}”`],
    ['a list with bullets', `• ${key}`],
  ])('of %s: %j', (_, text) => expect([cleanKey(text), cleanKeyOfClient(text)]).toEqual([key, key]));

  test.each([`"${secret}"`, `WEBHOOK_SECRET=${secret}\n`, ` ${secret.slice(0, 20)}\n${secret.slice(20)}`])(
    'of a webhook endpoint: %j',
    (text) => expect(cleanKey(text)).toBe(secret),
  );

  test.each([`${key} ${key}`, `x${key}`, key.slice(0, -1), 'a session token', ''])('%j stays as it is', (text) =>
    expect(cleanKey(text)).toBe(text),
  );
});

describe('a time, as programs write it', () => {
  test.each([
    ['JavaScript', '2026-11-21T10:00:00.000Z', '2026-11-21T10:00:00.000Z'],
    ['PHP, DATE_ISO8601', '2026-11-21T10:00:00+0000', '2026-11-21T10:00:00+00:00'],
    ['PostgreSQL', '2026-11-21 10:00:00+02', '2026-11-21T10:00:00+02:00'],
    ['Python, str', '2026-11-21 10:00:00.123456+02:00', '2026-11-21T10:00:00.123456+02:00'],
    ['Ruby', '2026-11-21 10:00:00 +0200', '2026-11-21T10:00:00+02:00'],
    ['Ruby, in UTC', '2026-11-21 10:00:00 UTC', '2026-11-21T10:00:00Z'],
    ['the basic form', '20261121T100000Z', '2026-11-21T10:00:00Z'],
    ['lower case', '2026-11-21t10:00:00z', '2026-11-21T10:00:00Z'],
    ['Go, nanoseconds', '2026-11-21T10:00:00.123456789Z', '2026-11-21T10:00:00.123456789Z'],
    ['a comma in the fraction', '2026-11-21T10:00:00,5Z', '2026-11-21T10:00:00.5Z'],
    ['without seconds', '2026-11-21T10:00-03:30', '2026-11-21T10:00-03:30'],
    ['a copied line', ' 2026-11-21T10:00:00Z\n', '2026-11-21T10:00:00Z'],
    ['a page, a no-break space', '2026-11-21\u00a010:00:00Z', '2026-11-21T10:00:00Z'],
  ])('%s: %j', (_, text, time) => expect(readTime(text)).toBe(time));

  test.each([
    '2026-11-21T10:00:00',
    '2026-11-21 10:00:00',
    '2026-11-21',
    '2026-02-30T10:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T10:00:60Z',
    '21.11.2026 10:00:00Z',
    '1732183200',
    '',
  ])('%j is none', (text) => expect(readTime(text)).toBeNull());
});

describe('of any text', () => {
  const cleans = { cleanEmail, cleanCode, cleanDeviceCode, cleanMailToken, cleanKey, cleanKeyOfClient };
  const signs = fc.constantFrom(
    ...'aZ09@.-_<>()"\' ,;?|=\n',
    '\u200b',
    '\u00a0',
    '—',
    '＠',
    'mailto:',
    ada,
    key,
    secret,
    mailToken,
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(signs).map((parts) => parts.join('')),
  );

  test.each(Object.entries(cleans))('%s changes nothing the second time', (_, clean) => {
    fc.assert(
      fc.property(texts, (text) => clean(clean(text)) === clean(text)),
      { numRuns: 2_000 },
    );
  });

  test('a time in the form of this service is read as itself', () => {
    const written = fc.date({
      min: new Date(86_400_000),
      max: new Date('9999-12-30T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(written, fc.constantFrom('Z', '+02:00', '-03:30'), (date, zone) => {
        const text = date.toISOString().replace('Z', zone);
        expect(readTime(text)).toBe(text);
      }),
    );
  });

  test.each(Object.entries({ ...cleans, readTime }))('%s takes no long time for a long text', (_, read) => {
    const start = performance.now();
    for (const part of [' ', '"', ';', 'a', '<', 'a@', 'whsec_', 'atl_01jd3vsh_ '])
      for (const length of [1_000, 400_000]) read(part.repeat(length).slice(0, length));
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
