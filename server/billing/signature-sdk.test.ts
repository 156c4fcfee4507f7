import fc from 'fast-check';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { readPayload } from './payload.ts';
import { checkSignature, sign } from './signature.ts';

/** The official SDK is the reference: whatever it refuses must be refused here too. */
const { webhooks } = Stripe;
const secrets = ['whsec_current', 'whsec_next'];
const now = 1_795_167_000;

type Post = { header: string; body: Buffer };

function sdkAccepts({ header, body }: Post): boolean {
  return secrets.some((secret) => {
    try {
      webhooks.constructEvent(body, header, secret, 300, undefined, now * 1000);
      return true;
    } catch {
      return false;
    }
  });
}

/** Whether the event would be recorded: the signature holds and the body is readable. */
function weAccept({ header, body }: Post): boolean {
  if (checkSignature(header, body, secrets, new Date(now * 1000)).outcome !== 'accepted') return false;
  try {
    readPayload(body);
    return true;
  } catch {
    return false;
  }
}

const event = {
  id: 'evt_1',
  type: 'customer.subscription.updated',
  livemode: false,
  created: now,
  data: { object: { id: 'sub_1', customer: 'cus_1', metadata: { service_entitlement_code: 'solo' } } },
};

const anyByte = fc.integer({ min: 0, max: 255 });
const bits = fc.record({ at: fc.nat(), byte: anyByte, how: fc.constantFrom('flip', 'cut', 'insert', 'end') });
type Edit = typeof bits extends fc.Arbitrary<infer A> ? A : never;

function edit(bytes: Buffer, { at, byte, how }: Edit): Buffer {
  const place = bytes.length === 0 ? 0 : at % bytes.length;
  if (how === 'end') return bytes.subarray(0, place);
  const rest = bytes.subarray(how === 'insert' ? place : place + 1);
  return Buffer.concat([bytes.subarray(0, place), ...(how === 'cut' ? [] : [Buffer.from([byte])]), rest]);
}

const bodies = fc.oneof(
  fc.constantFrom('', `\u{feff}${JSON.stringify(event)}`),
  fc.string({ unit: 'binary' }),
  fc.json().map((text) => `{"id":"evt_1","type":"a","livemode":true,"x":${text}}`),
);
const parts = fc.constantFrom(
  't=',
  't=1',
  'v0=abc',
  'v1=',
  'v1=zz',
  ' ',
  't',
  '=',
  'v1',
  `t=${now}`,
  `v1=${'0'.repeat(64)}`,
);
/** Mostly `usual`, so that many posts have a single fault. */
const mostly = <T>(usual: T, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });
const edits = mostly<Edit[]>([], fc.array(bits, { minLength: 1, maxLength: 2 }));

/** A header and a body, signed correctly or for something else, then mutated. */
const posts = fc
  .record({
    body: mostly(JSON.stringify(event), bodies).map((text) => Buffer.from(text)),
    secret: mostly('whsec_current', fc.constantFrom('whsec_next', 'whsec_other', '')),
    age: mostly(0, fc.oneof(fc.integer({ min: -302, max: 302 }), fc.integer())),
    extra: mostly<{ part: string; first: boolean }[]>(
      [],
      fc.array(fc.record({ part: parts, first: fc.boolean() }), { minLength: 1, maxLength: 3 }),
    ),
    separator: mostly(',', fc.constantFrom(', ', ';', ',,')),
    upper: mostly(false, fc.constant(true)),
    signedEdits: edits,
    headerEdits: edits,
    bodyEdits: edits,
  })
  .map(({ body, secret, age, extra, separator, upper, signedEdits, headerEdits, bodyEdits }): Post => {
    const signed = signedEdits.reduce(edit, body);
    const [t = '', v1 = ''] = sign(secret, now - age, signed).split(',');
    const list = extra.reduce((all, { part, first }) => (first ? [part, ...all] : [...all, part]), [t, v1]);
    const joined = list.join(separator);
    const header = headerEdits.reduce(edit, Buffer.from(upper ? joined.toUpperCase() : joined)).toString();
    return { header, body: bodyEdits.reduce(edit, signed) };
  });

/** The posts accepted here although the SDK refuses them, and the number that both accepted. */
function compare(accepts: (post: Post) => boolean): { wrongly: Post[]; both: number; details: fc.RunDetails<[Post]> } {
  const wrongly: Post[] = [];
  let both = 0;
  const details = fc.check(
    fc.property(posts, (post) => {
      if (!accepts(post)) return;
      if (sdkAccepts(post)) both += 1;
      else wrongly.push(post);
    }),
    { numRuns: 10_000 },
  );
  return { wrongly, both, details };
}

test('of 10,000 mutations none is accepted that the SDK refuses', { timeout: 120_000 }, () => {
  const { wrongly, both, details } = compare(weAccept);
  expect(wrongly, `seed ${details.seed}`).toEqual([]);
  expect(details.numRuns).toBe(10_000);
  // Rules out a verifier that refuses everything.
  expect(both).toBeGreaterThan(500);
});

test('control: a slightly too lenient verifier is detected', { timeout: 120_000 }, () => {
  const kind = ({ header, body }: Post) =>
    weAccept({ header: header.replaceAll(/[ ;]+/g, ',').replaceAll(/,+/g, ',').toLowerCase(), body });
  expect(compare(kind).wrongly.length).toBeGreaterThan(0);
});
