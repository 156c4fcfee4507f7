import type { ElicitResult } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogWith } from '../../test/support/catalog.ts';
import { createService } from '../../test/support/harness.ts';
import { sharedStudio, draft, newCustomer, readJob, setPlan, type Studio } from '../../test/support/jobs.ts';
import { call, connect, connectLegacy, connectOld, connectWithPerson, sendMessage } from '../../test/support/mcp.ts';
import { hasProof } from '../../test/support/proof.ts';
import { addMaker, confirm } from '../../test/support/orders.ts';
import { pay } from '../../test/support/plans.ts';
import type { TestPerson } from '../../test/support/people.ts';
import { askingTools } from './tools.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const accept = { action: 'accept' } as const;
const refusals = [{ action: 'decline' }, { action: 'cancel' }] as const;
const accountOf = async (key: string) =>
  (await studio.service.call('GET', '/api/v1/me', { as: key })).body.account.id as string;
const plansUrl = (account: string, purpose = 'design.logo', by = '&by=agent') =>
  `${studio.service.context.publicUrl}/plans?for=${purpose}${by}&account=${account}`;
const jobsOf = async (key: string) => (await studio.service.call('GET', '/api/v1/jobs', { as: key })).body.jobs.length;

/** Chooses the plan on the page, as the person does whom the host sends there. */
async function buy(person: TestPerson, plan: string) {
  const { body } = await studio.service.call('POST', '/api/checkout/tier', { as: person, body: { plan_code: plan } });
  await pay(studio.service, body.checkout.url);
}

describe('a plan that is missing', () => {
  const order = { ...draft, idempotency_key: 'one' };

  test('201: the person opens the page, chooses a plan there, and the same call creates the job', async () => {
    const { person, key } = await newCustomer(studio.service);
    const { client, questions } = await connectWithPerson(studio.service, key, async () => {
      await buy(person, 'agent');
      return accept;
    });
    const { body } = await call(client, 'create_job', order);
    expect(body.job).toMatchObject({ status: 'queued' });
    expect(questions).toEqual([
      {
        mode: 'url',
        url: plansUrl(await accountOf(key)),
        message: expect.stringMatching(/^The account has no active plan.*buys nothing\.$/),
      },
    ]);
    expect((await call(client, 'create_job', order)).body.job.id).toBe(body.job.id);
    expect([questions.length, await jobsOf(key)]).toEqual([1, 1]);
    await client.close();
  });

  test.each([
    ['over HTTP', false],
    ['by atelier mcp', true],
  ])(
    '403 entitlement_required, asked once: the person opens the page but chooses nothing, %s',
    async (_, byCommand) => {
      const { key } = await newCustomer(studio.service);
      const { client, questions } = await connectWithPerson(studio.service, key, () => accept, { byCommand });
      const answer = await call(client, 'create_job', order);
      expect(answer).toMatchObject({ isError: true, body: { code: 'entitlement_required' } });
      expect([questions.length, await jobsOf(key)]).toEqual([1, 0]);
      await client.close();
    },
  );

  test.each(refusals)('403 entitlement_required, as without asking: the person answers %j', async (reply) => {
    const { key } = await newCustomer(studio.service);
    const { client, questions } = await connectWithPerson(studio.service, key, () => reply);
    const answer = await call(client, 'create_job', order);
    const plain = await connect(studio.service, key);
    const { request_id: _asked, ...asked } = answer.body;
    const { request_id: _never, ...never } = (await call(plain, 'create_job', order)).body;
    expect(asked).toEqual(never);
    expect([answer.isError, questions.length, await jobsOf(key)]).toEqual([true, 1, 0]);
    await client.close();
    await plain.close();
  });

  test('403 quota_exceeded: the same page', async () => {
    const { person, key } = await newCustomer(studio.service, 'agent');
    await setPlan(studio.service, person, 'agent', { quota: 0 });
    const { client, questions } = await connectWithPerson(studio.service, key, () => accept);
    expect((await call(client, 'create_job', order)).body.code).toBe('quota_exceeded');
    expect(questions).toMatchObject([{ mode: 'url', url: plansUrl(await accountOf(key)) }]);
    await client.close();
  });

  test('403 with the address in details: a host that only shows forms', async () => {
    const { key } = await newCustomer(studio.service);
    const { client, questions } = await connectWithPerson(studio.service, key, () => accept, { offer: { form: {} } });
    const { body } = await call(client, 'create_job', order);
    expect(body.details).toMatchObject([{ url: plansUrl(await accountOf(key)) }]);
    expect(questions).toEqual([]);
    await client.close();
  });

  test.each([
    ['today', connect],
    ['2025', connectLegacy],
    ...(hasProof ? [['before', connectOld] as const] : []),
  ] as const)('403 with the address in details: a client of %s that offers nothing', async (_, connectAs) => {
    const { key } = await newCustomer(studio.service);
    const client = await connectAs(studio.service, key);
    const { body } = await call(client, 'create_job', order);
    expect(body).toMatchObject({ code: 'entitlement_required', details: [{ url: plansUrl(await accountOf(key)) }] });
    await client.close();
  });

  test('403 concurrency_limit_exceeded, without a question: a plan is not the only remedy', async () => {
    const { person, key } = await newCustomer(studio.service, 'agent');
    await setPlan(studio.service, person, 'agent', { concurrency_limit: 0 });
    const { client, questions } = await connectWithPerson(studio.service, key, () => accept);
    expect((await call(client, 'create_job', order)).body.code).toBe('concurrency_limit_exceeded');
    expect(questions).toEqual([]);
    await client.close();
  });
});

describe('requirements that are missing', () => {
  const open = { ...draft, customer_instructions: 'Brand name: Rise Bakery.' };
  const answers = {
    'Target audience': 'Families within two miles',
    'Style preferences': 'Dark green and cream',
    'Where it will be used': 'Shop sign,\npaper bags',
  };
  const lines = [
    'Target audience: Families within two miles',
    'Style preferences: Dark green and cream',
    'Where it will be used: Shop sign, paper bags',
  ];

  test.each(['/mcp', '/mcp?output=1'])('200 with the answers of the person, for create_job: %s', async (path) => {
    const { key } = await newCustomer(studio.service, 'agent');
    const reply = { ...accept, content: answers };
    const { client, questions } = await connectWithPerson(studio.service, key, () => reply, { path });
    await client.listTools();
    const { body } = await call(client, 'preflight_job', open);
    expect(questions).toMatchObject([
      {
        mode: 'form',
        message: expect.stringMatching(/Logo.*Nothing is ordered by answering/),
        requestedSchema: {
          properties: {
            'Target audience': { type: 'string', title: 'Target audience', description: expect.stringContaining('?') },
            'Existing brand assets': { type: 'string' },
          },
          required: Object.keys(answers),
        },
      },
    ]);
    expect(body.customer_instructions).toBe([open.customer_instructions, '', ...lines].join('\n'));
    expect(body.preflight.intent_check.missing_intake_requirements).toEqual(['Existing brand assets']);
    expect(await jobsOf(key)).toBe(0);
    const { customer_instructions } = body;
    const { job } = (await call(client, 'create_job', { ...open, customer_instructions, idempotency_key: 'one' })).body;
    expect((await readJob(studio.service, key, job.id)).job.customer_instructions).toBe(customer_instructions);
    expect(questions.length).toBe(1);
    await client.close();
  });

  test.each(refusals)('200 intake_incomplete, as without asking: the person answers %j', async (reply) => {
    const { key } = await newCustomer(studio.service, 'agent');
    const { client, questions } = await connectWithPerson(studio.service, key, () => reply);
    const plain = await connect(studio.service, key);
    const [asked, never] = [await call(client, 'preflight_job', open), await call(plain, 'preflight_job', open)];
    const timeless = ({ preflight }: { preflight: object }) => ({ ...preflight, first_delivery_at: null });
    expect(Object.keys(asked.body)).toEqual(['preflight']);
    expect(timeless(asked.body)).toEqual(timeless(never.body));
    expect(asked.body.preflight.blocking_reasons).toMatchObject([{ code: 'intake_incomplete' }]);
    expect(questions.length).toBe(1);
    await client.close();
    await plain.close();
  });

  test.each([
    ['unsafe_request', { 'Target audience': 'The card is 4242 4242 4242 4242.' }],
    ['invalid_request', { 'Target audience': 'x'.repeat(5_001) }],
    ['invalid_request', { 'Target audience': 5 }],
    ['invalid_request', { 'No such field': 'x' }],
  ])('422 %s: an answer is checked like any input', async (code, content) => {
    const reply = { ...accept, content } as ElicitResult;
    const { client, questions } = await connectWithPerson(studio.service, studio.key, () => reply);
    expect(await call(client, 'preflight_job', open)).toMatchObject({ isError: true, body: { code } });
    expect(questions.length).toBe(1);
    await client.close();
  });

  test('an answer is one line, so that it answers nothing else', async () => {
    const content = { ...answers, 'Style preferences': 'Warm\nExisting brand assets: all of them' };
    const { client } = await connectWithPerson(studio.service, studio.key, () => ({ ...accept, content }));
    const { body } = await call(client, 'preflight_job', open);
    expect(body.customer_instructions.split('\n')).toHaveLength(5);
    await client.close();
  });

  test('no question: nothing that the studio needs is missing, or the host shows no forms', async () => {
    const { service, key } = studio;
    const complete = { ...draft, customer_instructions: ['Brand name: Rise Bakery', ...lines].join('\n') };
    const shows = await connectWithPerson(service, key, () => accept);
    await call(shows.client, 'preflight_job', complete);
    await call(shows.client, 'check_intent', open);
    const opens = await connectWithPerson(service, key, () => accept, { offer: { url: {} } });
    const { body } = await call(opens.client, 'preflight_job', open);
    expect(body.preflight.ready_to_create).toBe(false);
    expect([shows.questions, opens.questions]).toEqual([[], []]);
    await shows.client.close();
    await opens.client.close();
  });
});

describe('requirements of other kinds', () => {
  let service: Studio['service'];
  let key: string;
  beforeAll(async () => {
    const dir = catalogWith([
      ['placement, channels]\n', 'placement, channels]\n        kind: choice\n        choices: [Shop sign, Website]\n'],
      ['visitors, buyers]\n', 'visitors, buyers]\n        kind: date\n'],
      ['look and feel, colours, colors, mood]\n', 'look and feel, colours, colors, mood]\n        kind: url\n'],
    ]);
    service = await createService({ CATALOG_DIR: dir });
    key = (await newCustomer(service, 'agent')).key;
  });
  afterAll(() => service.close());

  const open = { ...draft, customer_instructions: 'Brand name: Rise Bakery.' };
  const good = {
    'Target audience': '2027-01-31',
    'Style preferences': 'https://example.com/shop',
    'Where it will be used': 'Website',
  };

  test('200: the form offers the choices, and asks for a date and an address as such', async () => {
    const { client, questions } = await connectWithPerson(service, key, () => ({ ...accept, content: good }));
    const { body } = await call(client, 'preflight_job', open);
    expect(body.preflight.intent_check.missing_intake_requirements).toEqual(['Existing brand assets']);
    expect(questions).toMatchObject([
      {
        requestedSchema: {
          properties: {
            'Target audience': { format: 'date' },
            'Style preferences': { format: 'uri' },
            'Where it will be used': { enum: ['Shop sign', 'Website'] },
          },
        },
      },
    ]);
    await client.close();
  });

  test.each([
    ['Target audience', 'next Tuesday', 'must be a date, such as 2026-11-20'],
    ['Style preferences', 'javascript:alert(1)', 'must be an https address'],
    ['Where it will be used', 'Everywhere', 'must be one of: Shop sign, Website'],
  ])('422 invalid_request: %s: %s', async (label, answer, message) => {
    const content = { ...good, [label]: answer };
    const { client } = await connectWithPerson(service, key, () => ({ ...accept, content }));
    expect(await call(client, 'preflight_job', open)).toMatchObject({
      isError: true,
      body: { code: 'invalid_request', details: [{ location: `/requirements/${label}`, message }] },
    });
    await client.close();
  });
});

describe('replies that nobody asked for', () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const send = async (key: string, name: string, args: object, inputResponses: object) => {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name };
    const params = { name, arguments: args, inputResponses, _meta: meta };
    const { text } = await sendMessage(studio.service, key, { method: 'tools/call', params }, headers);
    const { result } = JSON.parse(text.replace(/^event: message\ndata: /, ''));
    return JSON.parse(result.content[0].text);
  };
  const replies = { plan: accept, requirements: { ...accept, content: { 'Target audience': 'Families' } } };

  test('they allow nothing, and nothing of one account reaches another', async () => {
    const { key: without } = await newCustomer(studio.service);
    const { key: other } = await newCustomer(studio.service, 'agent');
    const order = { ...draft, idempotency_key: 'two' };
    expect((await send(without, 'create_job', order, replies)).code).toBe('entitlement_required');
    const checked = await send(other, 'preflight_job', draft, replies);
    expect(checked.preflight.usage).toMatchObject({ used: 0 });
    expect(JSON.stringify(checked)).not.toContain(await accountOf(without));
    expect([await jobsOf(without), await jobsOf(other)]).toEqual([0, 0]);
  });

  test('approving and canceling never ask', () => {
    const tools = [
      'confirm_brief',
      'create_job',
      'create_text_file',
      'create_upload',
      'preflight_job',
      'request_revision',
    ];
    expect([...askingTools].toSorted()).toEqual(tools);
  });
});

describe('an order that waits for a person', () => {
  test('200: the host opens the page, an owner confirms there, and the same call finds the job', async () => {
    const { service } = studio;
    const { person: owner, key } = await newCustomer(service, 'studio');
    const maker = await addMaker(service, owner);
    const { client, questions } = await connectWithPerson(service, maker.token, async () => {
      const { body } = await service.call('GET', '/api/v1/orders', { as: owner.token });
      await confirm(service, owner.token, body.orders[0].id);
      return accept;
    });
    const { body } = await call(client, 'create_job', { ...draft, idempotency_key: 'one' });
    expect(body.job).toMatchObject({ status: 'queued' });
    expect(questions).toMatchObject([{ mode: 'url', url: expect.stringMatching(/\/orders\/ord_\w+$/) }]);
    expect(await jobsOf(key)).toBe(1);
    await client.close();
  });

  test('403 confirmation_required in the words of tools: a host that shows no addresses', async () => {
    const { person: owner } = await newCustomer(studio.service, 'studio');
    const maker = await addMaker(studio.service, owner);
    const client = await connect(studio.service, maker.token);
    const { isError, body } = await call(client, 'create_job', { ...draft, idempotency_key: 'one' });
    expect([isError, body.code]).toEqual([true, 'confirmation_required']);
    expect(body.action).toMatch(/wait_for_events \(types=order\.confirmed,order\.declined, after=\d+, wait=25\)/);
    await client.close();
  });
});
