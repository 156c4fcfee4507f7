import { createHmac, randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { checkSignature, sign } from '../../../server/billing/signature.ts';
import { seconds as inSeconds } from '../../support/plans.ts';
import { acceptsLeniently } from '../broken/lenient-signature.ts';
import { type Figure, type Measured, type Random, type Session, some } from '../figure.ts';
import { withWorld, type World } from '../world.ts';

type Post = { header: string; body: Buffer };
type Accepts = (post: Post, secret: string, now: number) => boolean;

const mutations = 10_000;

const accepts: Accepts = ({ header, body }, secret, now) =>
  checkSignature(header, body, [secret], new Date(now * 1000)).outcome === 'accepted';

const sdkAccepts: Accepts = ({ header, body }, secret, now) => {
  try {
    Stripe.webhooks.constructEvent(body, header, secret, 300, undefined, now * 1000);
    return true;
  } catch {
    return false;
  }
};

const eventBody = () =>
  Buffer.from(
    JSON.stringify({ id: `evt_${randomUUID()}`, type: 'a.b', livemode: false, data: { object: {} }, name: 'Zoë' }),
  );

/** A byte that is changed, cut or added. */
function mutate(bytes: Buffer, random: Random): Buffer {
  const at = Math.floor(random.between(0, bytes.length));
  const byte = Buffer.from([Math.floor(random.between(0, 256))]);
  return random.pick([
    () => Buffer.concat([bytes.subarray(0, at), byte, bytes.subarray(at + 1)]),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
    () => Buffer.concat([bytes.subarray(0, at), byte, bytes.subarray(at)]),
  ])();
}

/** Posts that are signed right, of which most are changed afterwards: those that only `ours` accepts. */
function compare(ours: Accepts, { random }: Session): { wrongly: string[]; both: number } {
  const [secret, now] = ['whsec_current', 1_795_167_000];
  const wrongly: string[] = [];
  let both = 0;
  for (let n = 0; n < mutations; n++) {
    const signed = eventBody();
    const at = now + (random.next() < 0.2 ? Math.floor(random.between(-400, 400)) : 0);
    const right = Buffer.from(sign(secret, at, signed));
    const header = (random.next() < 0.4 ? mutate(right, random) : right).toString();
    const post = { header, body: random.next() < 0.4 ? mutate(signed, random) : signed };
    if (!ours(post, secret, now)) continue;
    if (sdkAccepts(post, secret, now)) both += 1;
    else wrongly.push(`${post.header} ${post.body.toString('latin1').slice(0, 40)}`);
  }
  return { wrongly, both };
}

type Vector = [
  what: string,
  (secret: string, at: number, body: Buffer) => { headers: Record<string, string>; body: Buffer },
];

const mac = (secret: string, at: string | number, body: Buffer) =>
  createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex');
const withHeader = (what: string, header: (secret: string, at: number, body: Buffer) => string): Vector => [
  what,
  (secret, at, body) => ({ headers: { 'stripe-signature': header(secret, at, body) }, body }),
];
const withBody = (what: string, change: (body: Buffer) => Buffer): Vector => [
  what,
  (secret, at, body) => ({ headers: { 'stripe-signature': sign(secret, at, body) }, body: change(body) }),
];
const good = (secret: string, at: number, body: Buffer) => mac(secret, at, body);

const goodVectors: Vector[] = [
  withHeader('as signed', sign),
  withHeader('v1 before t', (secret, at, body) => `v1=${good(secret, at, body)},t=${at}`),
  withHeader(
    'two v1, the second right',
    (secret, at, body) => `t=${at},v1=${'0'.repeat(64)},v1=${good(secret, at, body)}`,
  ),
  withHeader('two v1, the first right', (secret, at, body) => `${sign(secret, at, body)},v1=${'0'.repeat(64)}`),
  withHeader('another scheme beside it', (secret, at, body) => `${sign(secret, at, body)},v0=abc`),
  withHeader('a malformed v1 beside it', (secret, at, body) => `t=${at},v1=zz,v1=${good(secret, at, body)}`),
  withHeader('290 s old', (secret, at, body) => sign(secret, at - 290, body)),
  withHeader('290 s early', (secret, at, body) => sign(secret, at + 290, body)),
];

const times = [-1e6, -86_400, -3_600, -600, -320, 320, 600, 3_600, 86_400, 1e6];
const texts = ['', ' ', 't', 'v1', '=', ',', 't=,v1=', 'null', 't=1', 'v1=0', `v1=${'0'.repeat(64)}`, '\u00e9'];
const badVectors: Vector[] = [
  ['no header', (_secret, _at, body) => ({ headers: {}, body })],
  ...texts.map((text) => withHeader(`the header ${JSON.stringify(text)}`, () => text)),
  ...times.map((offset) => withHeader(`signed at ${offset} s`, (secret, at, body) => sign(secret, at + offset, body))),
  ...['', 'whsec_other', 'WHSEC_0123456789ABCDEFGHIJKLMNOPQRSTUV'].map((other) =>
    withHeader(`signed with ${other || 'nothing'}`, (_, at, body) => sign(other, at, body)),
  ),
  ...['0', '+', ' ', '-'].map((sign) =>
    withHeader(
      `t with "${sign}" before it`,
      (secret, at, body) => `t=${sign}${at},v1=${mac(secret, `${sign}${at}`, body)}`,
    ),
  ),
  ...['.0', 'e0', ' ', 'x'].map((end) =>
    withHeader(
      `t with "${end}" after it`,
      (secret, at, body) => `t=${at}${end},v1=${mac(secret, `${at}${end}`, body)}`,
    ),
  ),
  withHeader('two t', (secret, at, body) => `t=${at},${sign(secret, at, body)}`),
  withHeader('t of 20 digits', (secret, _, body) => `t=${'1'.repeat(20)},v1=${mac(secret, '1'.repeat(20), body)}`),
  withHeader('v0 alone', (secret, at, body) => `t=${at},v0=${good(secret, at, body)}`),
  withHeader('v2 alone', (secret, at, body) => `t=${at},v2=${good(secret, at, body)}`),
  withHeader('upper case', (secret, at, body) => `t=${at},v1=${good(secret, at, body).toUpperCase()}`),
  withHeader('V1', (secret, at, body) => `t=${at},V1=${good(secret, at, body)}`),
  withHeader('a digit too few', (secret, at, body) => sign(secret, at, body).slice(0, -1)),
  withHeader('a digit too many', (secret, at, body) => `${sign(secret, at, body)}0`),
  withHeader('a space after the comma', (secret, at, body) => sign(secret, at, body).replace(',', ', ')),
  withHeader('a comma before it', (secret, at, body) => `,${sign(secret, at, body)}`),
  withHeader('a semicolon', (secret, at, body) => sign(secret, at, body).replace(',', ';')),
  withHeader('a comma after it', (secret, at, body) => `${sign(secret, at, body)},`),
  withHeader('1000 signatures', (secret, at, body) => `t=${at},${'v1=0,'.repeat(999)}v1=${good(secret, at, body)}`),
  withHeader(
    'base64',
    (secret, at, body) => `t=${at},v1=${Buffer.from(good(secret, at, body), 'hex').toString('base64')}`,
  ),
  withHeader('signed for another second', (secret, at, body) => `t=${at + 1},v1=${good(secret, at, body)}`),
  withBody('another byte', (body) => Buffer.from(body.toString().replace('evt_', 'evt-'))),
  withBody('a byte more', (body) => Buffer.concat([body, Buffer.from(' ')])),
  withBody('a byte less', (body) => body.subarray(0, -1)),
  withBody('a byte order mark', (body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])),
  withBody('the same JSON in other words', (body) => Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1))),
  withBody('another normal form', (body) => Buffer.from(body.toString().normalize('NFD'))),
  withBody('no UTF-8', (body) => Buffer.concat([body.subarray(0, -2), Buffer.from([0xff]), body.subarray(-2)])),
  withBody('nothing', () => Buffer.alloc(0)),
  withBody('twice', (body) => Buffer.concat([body, body])),
  withBody('an empty object', () => Buffer.from('{}')),
  withBody('a list around it', (body) => Buffer.concat([Buffer.from('['), body, Buffer.from(']')])),
];

/** Sends each to both processes. Counts what was answered otherwise, and the events that are stored in the end. */
async function post(world: World, vectors: readonly Vector[], status: number): Promise<string[]> {
  const faults: string[] = [];
  for (const [what, make] of vectors)
    for (const { url } of [world.first, world.second]) {
      const { headers, body } = make(world.env.STRIPE_WEBHOOK_SECRET!, inSeconds(Date.now()), eventBody());
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
      const sent = await fetch(`${url}/api/stripe/webhook`, { ...init, body: new Uint8Array(body) }).catch(
        // A header that HTTP cannot carry.
        (error: unknown) => (status === 400 && error instanceof TypeError ? null : Promise.reject(error as Error)),
      );
      await sent?.arrayBuffer();
      if (sent && sent.status !== status) faults.push(`${what}: ${sent.status}`);
    }
  return faults;
}

async function measure(session: Session): Promise<Measured> {
  const { wrongly, both } = compare(accepts, session);
  return withWorld({}, async (world) => {
    const count = async () =>
      (await world.ask('select count(*)::int as count from provider_events'))[0].count as number;
    const accepted = await post(world, badVectors, 400);
    const stored = await count();
    const refused = await post(world, goodVectors, 200);
    const kept = await count();
    return {
      measured:
        `${accepted.length} of ${badVectors.length} bad vectors accepted, ${refused.length} of ${goodVectors.length} good refused, ` +
        `${stored} rows of refused ones; ${wrongly.length} of ${mutations.toLocaleString('en')} mutations accepted that the SDK refuses, ${both.toLocaleString('en')} by both`,
      faults: [
        ...some('bad vectors accepted', accepted),
        ...some('good vectors refused', refused),
        ...(stored > 0 ? [`${stored} rows of refused events`] : []),
        ...(kept === 2 * goodVectors.length ? [] : [`${kept} events stored of ${2 * goodVectors.length}`]),
        ...some('mutations accepted that the SDK refuses', wrongly),
        ...(both < 500 ? ['hardly any mutation is accepted'] : []),
      ],
    };
  });
}

async function control(session: Session): Promise<Measured> {
  const { wrongly } = compare(({ header, body }, secret) => acceptsLeniently(header, body, secret), session);
  return {
    measured: `${wrongly.length} mutations accepted that the SDK refuses`,
    faults: some('mutations accepted that the SDK refuses', wrongly),
  };
}

export const signatures: Figure = {
  name: 'F7',
  title: 'signatures of the payment provider: vectors to both processes, and mutations against its SDK',
  target: '0 bad accepted, 0 good refused, 0 rows of refused events, nothing accepted that the SDK refuses',
  inShort: false,
  // The permutations of five events are among them.
  cases: ['signature', 'signature-sdk', 'receive-webhook'].map((name) => `server/billing/${name}.test.ts`),
  run: measure,
  control,
};
