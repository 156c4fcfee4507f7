import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkSignature, onlyHeader, sign } from './signature.ts';

const secret = 'whsec_test';
const body = Buffer.from('{"id":"evt_1"}');
const now = new Date('2026-11-20T09:30:00.500Z');
const at = 1795167000;
const mac = (key = secret, timestamp: string | number = at, bytes = body) =>
  createHmac('sha256', key).update(`${timestamp}.${bytes.toString()}`).digest('hex');
const check = (header: string | null, { bytes = body, secrets = [secret], time = now } = {}) =>
  checkSignature(header, bytes, secrets, time);
/** When it was signed; null if it is refused. */
const verify: (...post: Parameters<typeof check>) => number | null = (...post) => {
  const verdict = check(...post);
  return verdict.outcome === 'accepted' ? verdict.at : null;
};

const good = `t=${at},v1=${mac()}`;

test.each([
  ['as signed', good],
  ['as our own sandbox signs', sign(secret, at, body)],
  ['v1 before t', `v1=${mac()},t=${at}`],
  ['two v1, the second right', `t=${at},v1=${mac('old secret')},v1=${mac()}`],
  ['two v1, the first right', `t=${at},v1=${mac()},v1=${mac('old secret')}`],
  ['other schemes beside it', `t=${at},v1=${mac()},v0=${'0'.repeat(64)},v2=abc`],
  ['a malformed v1 beside it', `t=${at},v1=zz,v1=${mac()}`],
  ['16 parts', `t=${at},${`v1=${mac('x')},`.repeat(14)}v1=${mac()}`],
])('accepted: %s', (_, header) => expect(verify(header)).toBe(at));

test('accepted: signed with the second of two secrets', () => {
  expect(verify(`t=${at},v1=${mac('next secret')}`, { secrets: [secret, 'next secret'] })).toBe(at);
});

test.each([
  ['no header', null],
  ['empty', ''],
  ['no t', `v1=${mac()}`],
  ['two t', `t=${at},t=${at},v1=${mac()}`],
  ['empty t', `t=,v1=${mac(secret, '')}`],
  ['t that is no number', `t=abc,v1=${mac(secret, 'abc')}`],
  ['negative t', `t=-${at},v1=${mac(secret, -at)}`],
  ['t with a leading zero', `t=0${at},v1=${mac(secret, `0${at}`)}`],
  ['t with a fraction', `t=${at}.0,v1=${mac(secret, `${at}.0`)}`],
  ['t with an exponent', `t=1e9,v1=${mac(secret, '1e9')}`],
  ['t of 20 digits', `t=${'1'.repeat(20)},v1=${mac(secret, '1'.repeat(20))}`],
  ['no v1', `t=${at}`],
  ['empty v1', `t=${at},v1=`],
  ['v0 only', `t=${at},v0=${mac()}`],
  ['odd length', `t=${at},v1=${mac().slice(1)}`],
  ['a digit too many', `t=${at},v1=${mac()}0`],
  ['upper case', `t=${at},v1=${mac().toUpperCase()}`],
  ['no hex', `t=${at},v1=${'z'.repeat(64)}`],
  ['a space after the comma', `t=${at}, v1=${mac()}`],
  ['a space before', ` ${good}`],
  ['a second v1 that is no ASCII', `${good},v1=${'0'.repeat(63)}\u00e9`],
  ['a trailing comma', `${good},`],
  ['a part without a value', `${good},v2`],
  ['1000 signatures', `t=${at},${`v1=${mac('x')},`.repeat(999)}v1=${mac()}`],
  ['another secret', `t=${at},v1=${mac('another secret')}`],
  ['signed for another time', `t=${at + 1},v1=${mac()}`],
  ['signed without the time', `t=${at},v1=${createHmac('sha256', secret).update(body).digest('hex')}`],
])('refused: %s', (_, header) => expect(verify(header)).toBeNull());

test('refused: a body that differs by one byte', () => {
  for (let byte = 0; byte < body.length; byte += 1) {
    const bytes = Buffer.from(body);
    bytes[byte]! ^= 1;
    expect(verify(good, { bytes })).toBeNull();
  }
});

test('refused: every single-character change of a right header', () => {
  const changes = Array.from(good, (sign, at) =>
    ['0', 'a', 'A', '=', ',', ' ', ';']
      .filter((other) => other !== sign)
      .map((other) => good.slice(0, at) + other + good.slice(at + 1)),
  ).flat();
  expect(changes.filter((header) => verify(header) !== null)).toEqual([]);
});

test('refused: no secret is configured', () => expect(verify(good, { secrets: [] })).toBeNull());

test('accepted up to 300 seconds either way, refused beyond', () => {
  const after = (seconds: number) => verify(good, { time: new Date((at + seconds) * 1000) });
  expect([after(300), after(-300)]).toEqual([at, at]);
  expect([after(301), after(-301)]).toEqual([null, null]);
});

test.each([
  ['no header', null, { outcome: 'unsigned' }],
  ['garbage in the header', 'garbage', { outcome: 'unsigned' }],
  ['v0 only', `t=${at},v0=${mac()}`, { outcome: 'unsigned' }],
  ['another secret', `t=${at},v1=${mac('another secret')}`, { outcome: 'unmatched' }],
  ['another secret, long ago', sign('another secret', at - 5000, body), { outcome: 'unmatched' }],
  ['the secret, long ago', sign(secret, at - 5000, body), { outcome: 'untimely', seconds: -5000 }],
  ['the second secret, in an hour', sign('second', at + 3600, body), { outcome: 'untimely', seconds: 3600 }],
  ['the first secret', good, { outcome: 'accepted', at, byFirst: true }],
  ['the second secret', sign('second', at, body), { outcome: 'accepted', at, byFirst: false }],
  ['both', `${sign('second', at, body)},v1=${mac()}`, { outcome: 'accepted', at, byFirst: true }],
])('why: %s', (_, header, verdict) => expect(check(header, { secrets: [secret, 'second'] })).toEqual(verdict));

test('a header counts only when it was sent exactly once, in whatever case', () => {
  expect(onlyHeader('stripe-signature', ['Host', 'x', 'Stripe-Signature', good])).toBe(good);
  expect(onlyHeader('stripe-signature', ['Host', 'stripe-signature'])).toBeNull();
  expect(onlyHeader('stripe-signature', ['stripe-signature', good, 'STRIPE-SIGNATURE', good])).toBeNull();
});
