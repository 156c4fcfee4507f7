import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual as same } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { showId } from '../../server/lib/id.ts';
import { forAWhile } from '../support/for-a-while.ts';
import { post } from '../support/jobs.ts';
import { makeKey, makeOperator, signUp, type TestPerson } from '../support/people.ts';
import { type Got, createService, type Service } from '../support/harness.ts';
import { bookFaults, insertPlan, openAccount } from '../support/seed.ts';

/*
 * A model of a job, written a second time: nothing here comes from contract/moves.ts.
 */
const statuses = [
  'queued',
  'accepted',
  'running',
  'needs_review',
  'ready_for_customer_review',
  'completed',
  'rejected',
  'canceled',
] as const;
type Status = (typeof statuses)[number];
type Operator = 'olga' | 'otto';
type Customer = 'ada' | 'bob';
type Person = Operator | Customer;

const desk = ['accept', 'start', 'submit', 'pass', 'return', 'reject', 'release'] as const;
const customer = ['approve', 'cancel', 'revision'] as const;
type DeskMove = (typeof desk)[number];
type Move = DeskMove | (typeof customer)[number];

const from: Record<Move, Status[]> = {
  accept: ['queued'],
  start: ['accepted'],
  submit: ['running'],
  pass: ['needs_review'],
  return: ['needs_review'],
  reject: ['queued', 'accepted', 'running', 'needs_review'],
  release: ['accepted', 'running'],
  approve: ['ready_for_customer_review'],
  revision: ['ready_for_customer_review'],
  cancel: ['queued', 'accepted', 'running', 'needs_review'],
};
/** The lines of the table that say "holder". */
const byHolder: Move[] = ['start', 'submit'];

/** Options of the catalog: with how many rounds, and whether an operator looks before the customer does. */
const options = { logo: { rounds: 3, review: true }, image_cutout: { rounds: 1, review: false } };
type Option = keyof typeof options;

type Event = { type: string; status: Status; previous_status: Status | null; actor: 'customer' | 'operator' };
type ModelJob = {
  owner: Customer;
  option: Option;
  status: Status;
  holder: Operator | null;
  /** Who held it last and gets it back. */
  worker: Operator | null;
  rounds: number;
  submissions: number;
  released: boolean;
  charged: 0 | 1;
  notes: number;
  events: Event[];
};
type Answer = { status: number; code?: string; /** The state that the message names. */ names?: Status };

const created = (owner: Customer, option: Option): ModelJob => ({
  owner,
  option,
  status: 'queued',
  holder: null,
  worker: null,
  rounds: 0,
  submissions: 0,
  released: false,
  charged: 1,
  notes: 0,
  events: [{ type: 'job.created', status: 'queued', previous_status: null, actor: 'customer' }],
});

const isDesk = (move: Move): move is DeskMove => (desk as readonly Move[]).includes(move);
const isOperator = (who: Person): who is Operator => who === 'olga' || who === 'otto';

/** Null: the move is made. */
function refusal(job: ModelJob, move: Move, who: Person, lapsed: boolean): Answer | null {
  if (isDesk(move) && !isOperator(who))
    return { status: 403, code: who === 'bob' ? 'credential_not_accepted' : 'role_required' };
  if (!isDesk(move) && who !== job.owner) return { status: 404, code: 'job_not_found' };
  if (!from[move].includes(job.status)) {
    const names = job.status;
    if (isDesk(move)) return { status: 409, code: 'invalid_transition', names };
    if (move === 'approve') return { status: 400, code: 'invalid_request', names };
    return { status: 409, code: move === 'cancel' ? 'job_not_cancelable' : 'revision_unavailable', names };
  }
  if (byHolder.includes(move) && job.holder !== null && job.holder !== who)
    return { status: 409, code: 'invalid_transition', names: job.status };
  if (move === 'revision' && job.rounds >= options[job.option].rounds)
    return { status: 409, code: 'revision_unavailable' };
  if (move === 'revision' && lapsed) return { status: 403, code: 'entitlement_required' };
  return null;
}

/** The job with these events of one move: the last one brings the new status. */
function moved(job: ModelJob, status: Status, actor: Event['actor'], types: string[], changes: Partial<ModelJob>) {
  const events = types.map((type, i): Event => {
    const last = i === types.length - 1;
    return { type: `job.${type}`, status: last ? status : job.status, previous_status: job.status, actor };
  });
  return { ...job, status, holder: null, ...changes, events: [...job.events, ...events] };
}

const effects: Record<Move, (job: ModelJob, who: Operator) => ModelJob> = {
  accept: (job, who) => moved(job, 'accepted', 'operator', ['accepted'], { holder: who, worker: who }),
  start: (job, who) => moved(job, 'running', 'operator', ['started'], { holder: who, worker: who }),
  submit: (job, who) => {
    const changes = { worker: who, submissions: job.submissions + 1 };
    return options[job.option].review
      ? moved(job, 'needs_review', 'operator', ['submitted'], changes)
      : moved(job, 'ready_for_customer_review', 'operator', ['submitted', 'ready_for_customer_review'], {
          ...changes,
          released: true,
        });
  },
  pass: (job) => moved(job, 'ready_for_customer_review', 'operator', ['ready_for_customer_review'], { released: true }),
  return: (job) => moved(job, 'running', 'operator', ['returned'], { holder: job.worker, notes: job.notes + 1 }),
  reject: (job) => moved(job, 'rejected', 'operator', ['rejected'], job.released ? {} : { charged: 0 }),
  release: (job) => moved(job, 'queued', 'operator', ['requeued'], { worker: null }),
  approve: (job) => moved(job, 'completed', 'customer', ['approved', 'completed'], {}),
  revision: (job) =>
    moved(job, 'accepted', 'customer', ['revision_requested'], { holder: job.worker, rounds: job.rounds + 1 }),
  cancel: (job) => {
    const early = (job.status === 'queued' || job.status === 'accepted') && job.submissions === 0;
    return moved(job, 'canceled', 'customer', ['canceled'], early ? { charged: 0 } : {});
  },
};

function tryMove(job: ModelJob, move: Move, who: Person, lapsed: boolean): { answer: Answer; job: ModelJob } {
  const answer = refusal(job, move, who, lapsed);
  return answer ? { answer, job } : { answer: { status: 200 }, job: effects[move](job, who as Operator) };
}

const allowed = ({ status, rounds, option }: ModelJob, lapsed: boolean) => [
  ...(from.approve.includes(status) ? ['approve'] : []),
  ...(from.cancel.includes(status) ? ['cancel'] : []),
  ...(from.revision.includes(status) && rounds < options[option].rounds && !lapsed ? ['revision'] : []),
];

/** What the customer and the studio read of a job that stands like its model. */
const shown = (job: ModelJob, lapsed: boolean) => ({
  status: job.status,
  service_type: job.option,
  revisions: { used: job.rounds, included: options[job.option].rounds },
  allowed_actions: allowed(job, lapsed),
  reason: job.status === 'rejected' ? { code: 'unclear', message: 'We do not see what is wanted.' } : null,
  review_due_at: job.status === 'ready_for_customer_review' ? expect.any(String) : null,
});

/*
 * The service under test.
 */
let service: Service;
let people: Record<Person, TestPerson>;
/** Ada asks by session, Bob with an API key. */
let credentials: Record<Person, string>;

beforeAll(async () => {
  service = await createService();
  people = {
    ada: await signUp(service),
    bob: await signUp(service),
    olga: await makeOperator(service),
    otto: await makeOperator(service),
  };
});
afterAll(() => service.close());

/** Accounts without a past, each with one plan that has room for everything. */
async function startOver() {
  for (const who of ['ada', 'bob'] as const) {
    people[who] = await openAccount(service, people[who]);
    const plan = { access_kind: 'both', status: 'active', quota: 1000, concurrency_limit: 1000, endsIn: 600 } as const;
    await insertPlan(service.context.db, people[who].accountId, 'studio', plan);
  }
  const [bob, { ada, olga, otto }] = [await makeKey(service, people.bob), people];
  credentials = { ada: ada.token, bob, olga: olga.token, otto: otto.token };
}

const setLapsed = (who: Customer, lapsed: boolean) =>
  service.context.db
    .updateTable('entitlements')
    .set({ status: lapsed ? 'canceled' : 'active' })
    .where('account_id', '=', people[who].accountId)
    .execute();

const bodies: Partial<Record<Move, object>> = {
  submit: { message: 'The first draft.' },
  return: { note: 'The edges.' },
  reject: { code: 'unclear', message: 'We do not see what is wanted.' },
  revision: { customer_instructions: 'Rounder.' },
};
const pathOf = (move: Move, id: string) => `/api/${isDesk(move) ? 'operator/' : ''}v1/jobs/${id}/${move}`;
const sendMove = (id: string, move: Move, who: Person, key?: string) =>
  post(service, credentials[who], pathOf(move, id), bodies[move], key);

const draft = {
  service_family: 'design',
  customer_title: 'Logo for a neighbourhood bakery',
  customer_instructions: 'A round sign with an ear of rye.',
};
const sendCreate = (who: Person, option: Option) =>
  post(service, credentials[who], '/api/v1/jobs', { ...draft, service_type: option });

/** What a refusal says about the state, where it does. */
function answerOf({ status, body }: Got): Answer {
  if (status < 400) return { status };
  const named = statuses.filter((one) => new RegExp(`\\b${one}\\b`).test(body.error.message));
  return { status, code: body.error.code, ...(named[0] ? { names: named[0] } : {}) };
}

type Shown = Pick<Event, 'type' | 'actor'> & { seq: number; job: Pick<Event, 'status' | 'previous_status'> };
const withoutTimes = (events: Shown[]) =>
  events.map(({ seq, type, job: { status, previous_status }, actor }) => ({
    seq,
    type,
    status,
    previous_status,
    actor,
  }));
const numbered = (events: readonly Event[]) => events.map((event, i) => ({ seq: i + 1, ...event }));

/** Everybody reads the job as the model has it. */
async function expectShown(id: string, job: ModelJob, lapsed: boolean): Promise<void> {
  const [mine, studio] = await Promise.all([
    service.call('GET', `/api/v1/jobs/${id}`, { as: credentials[job.owner] }),
    service.call('GET', `/api/operator/v1/jobs/${id}`, { as: credentials.olga }),
  ]);
  expect(mine.body.job).toMatchObject(shown(job, lapsed));
  expect(withoutTimes(mine.body.events)).toEqual(numbered(job.events));
  expect(mine.body.job.revision_requests.length).toBe(job.rounds);
  expect(studio.body.job).toMatchObject(shown(job, lapsed));
  expect(studio.body.events).toEqual(mine.body.events);
  expect(studio.body.job.holder?.operator_id ?? null).toBe(job.holder && showId('user', people[job.holder].userId));
  expect(studio.body.job.notes.length).toBe(job.notes);
  expect(studio.body.job.submissions.length).toBe(job.submissions);
}

/*
 * Sequences.
 */
type Model = { jobs: { id: string; job: ModelJob }[]; lapsed: Record<Customer, boolean> };
type Real = Record<string, never>;
type Command = fc.AsyncCommand<Model, Real>;

/** A plan that lapsed counts for nothing now; what it paid for shows again with it. */
async function expectUsage({ jobs, lapsed }: Model, who: Customer): Promise<void> {
  const { body } = await service.call('GET', '/api/v1/usage', { as: credentials[who] });
  const charged = jobs.filter(({ job }) => job.owner === who && job.charged === 1).length;
  expect(body.usage.totals.quantity).toBe(lapsed[who] ? 0 : charged);
}

const create = (who: Customer, option: Option): Command => ({
  check: () => true,
  run: async (model) => {
    const answer = await sendCreate(who, option);
    const refused = { status: 403, code: 'entitlement_required' };
    expect(answerOf(answer)).toEqual(model.lapsed[who] ? refused : { status: 201 });
    if (answer.status === 201) model.jobs.push({ id: answer.body.job.id, job: created(who, option) });
    const last = model.jobs.at(-1);
    if (last) await expectShown(last.id, last.job, model.lapsed[last.job.owner]);
    await expectUsage(model, who);
  },
  toString: () => `${who} creates ${option}`,
});

/** `next`: what brings the job forward. */
const next: Partial<Record<Status, Move>> = {
  queued: 'accept',
  accepted: 'start',
  running: 'submit',
  needs_review: 'pass',
};

type Try = { move: Move | 'next'; who: Person | 'whoever may'; at: number; twice?: boolean };

const attempt = (one: Try): Command => ({
  check: ({ jobs }) => jobs.length > 0,
  run: async (model) => {
    const known = model.jobs[one.at % model.jobs.length]!;
    const { id, job } = known;
    const move = one.move === 'next' ? (next[job.status] ?? 'reject') : one.move;
    const may = isDesk(move) ? (job.holder ?? 'olga') : job.owner;
    const who = one.who === 'whoever may' ? may : one.who;
    const expected = tryMove(job, move, who, model.lapsed[job.owner]);

    const key = randomUUID();
    const answer = await sendMove(id, move, who, key);
    expect(answerOf(answer)).toEqual(expected.answer);
    if (one.twice) {
      const again = await sendMove(id, move, who, key);
      expect(answerOf(again)).toEqual(expected.answer);
      expect(again.headers.get('idempotent-replayed')).toBe(answer.status === 200 ? 'true' : null);
      expect(again.body.job).toEqual(answer.body.job);
    }
    known.job = expected.job;
    const lapsed = model.lapsed[job.owner];
    expect(answer.body.job ?? shown(known.job, lapsed)).toMatchObject(shown(known.job, lapsed));
    await expectShown(id, known.job, lapsed);
    await expectUsage(model, job.owner);
  },
  toString: () => `${one.who} tries ${one.move} on ${one.at}${one.twice ? ' twice' : ''}`,
});

const note = (at: number): Command => ({
  check: ({ jobs }) => jobs.length > 0,
  run: async ({ jobs, lapsed }) => {
    const one = jobs[at % jobs.length]!;
    const answer = await post(service, credentials.otto, `/api/operator/v1/jobs/${one.id}/notes`, {
      body: 'Internal.',
    });
    expect(answer.status).toBe(201);
    one.job = { ...one.job, notes: one.job.notes + 1 };
    await expectShown(one.id, one.job, lapsed[one.job.owner]);
  },
  toString: () => `otto notes on ${at}`,
});

/** A customer's plan ends, or begins again. */
const lapse = (who: Customer): Command => ({
  check: () => true,
  run: async (model) => {
    model.lapsed[who] = !model.lapsed[who];
    await setLapsed(who, model.lapsed[who]);
    await expectUsage(model, who);
  },
  toString: () => `the plan of ${who} lapses or returns`,
});

const at = fc.nat(3);
const anyMove = fc.constantFrom<Move>(...desk, ...customer);
const lateMove = fc.constantFrom<Move>('return', 'reject', 'approve', 'revision', 'revision', 'cancel');
const whoever = fc.constant('whoever may' as const);
const anybody = fc.constantFrom<Person>('ada', 'bob', 'olga', 'otto');
const oneCustomer = fc.constantFrom<Customer>('ada', 'bob');
const step = fc.record({ move: fc.constant('next' as const), who: whoever, at });
const steps: fc.Arbitrary<Command>[] = [
  fc.tuple(oneCustomer, fc.constantFrom<Option>('logo', 'image_cutout')).map(([who, option]) => create(who, option)),
  // Most steps lead somewhere, so that the late states are seen as often as the early ones.
  step.map(attempt),
  step.map(attempt),
  step.map(attempt),
  fc.record({ move: lateMove, who: whoever, at, twice: fc.boolean() }).map(attempt),
  fc.record({ move: anyMove, who: whoever, at, twice: fc.boolean() }).map(attempt),
  fc.record({ move: anyMove, who: anybody, at }).map(attempt),
  at.map(note),
  oneCustomer.map(lapse),
];

const may = (move: Move | 'next', at: number) => attempt({ move, who: 'whoever may', at });
/** Tried before the random ones: a way to every status. */
const everyStatus = [
  create('ada', 'logo'),
  ...(['next', 'next', 'next', 'return', 'next', 'next', 'revision', 'next', 'next', 'next', 'approve'] as const).map(
    (move) => may(move, 0),
  ),
  create('ada', 'image_cutout'),
  may('cancel', 1),
  create('bob', 'image_cutout'),
  ...(['next', 'next', 'next', 'revision', 'reject'] as const).map((move) => may(move, 2)),
];

test('any sequence of moves is answered, shown, recorded and charged as the table says', async () => {
  const commands: fc.Arbitrary<Iterable<Command>> = fc.commands(steps, { maxCommands: 40, size: 'max' });
  const seen = new Set<Status>();
  await fc.assert(
    fc.asyncProperty(
      commands,
      forAWhile(20_000, 2, async (commands) => {
        const model: Model = { jobs: [], lapsed: { ada: false, bob: false } };
        await fc.asyncModelRun(async () => {
          await startOver();
          return { model, real: {} };
        }, commands);
        expect(await bookFaults(service.context.db)).toEqual([]);
        for (const { job } of model.jobs) for (const { status } of job.events) seen.add(status);
      }),
    ),
    { numRuns: 20, examples: [[everyStatus]] },
  );
  expect([...seen].toSorted()).toEqual(statuses.toSorted());
});

/*
 * Bursts.
 */
type Sent = { move: Move; who: Person };
type Heard = Sent & { answer: Answer };

/** Whether the answers are those of some order, one after the other, that ends with what is read afterwards. */
function explains(job: ModelJob, heard: readonly Heard[], events: readonly Event[], holder: Operator | null): boolean {
  if (heard.length === 0) return job.holder === holder && same(numbered(job.events), events);
  return heard.some((one, i) => {
    const { answer, job: after } = tryMove(job, one.move, one.who, false);
    // Only the move that was recorded next can have come next.
    const recorded = same(numbered(after.events), events.slice(0, after.events.length));
    return recorded && same(answer, one.answer) && explains(after, heard.toSpliced(i, 1), events, holder);
  });
}

const burst = fc.record({
  option: fc.constantFrom<Option>('logo', 'image_cutout'),
  path: fc.array(fc.constantFrom<Move>('accept', 'start', 'submit', 'pass', 'revision', 'return'), { maxLength: 9 }),
  sent: fc.uniqueArray(
    fc.oneof(
      fc.record({ move: fc.constantFrom<Move>(...desk), who: fc.constantFrom<Person>('olga', 'otto') }),
      fc.record({ move: fc.constantFrom<Move>(...customer), who: fc.constant<Person>('ada') }),
    ),
    { minLength: 2, maxLength: 7, size: 'max', selector: ({ move, who }) => `${who} ${move}` },
  ),
});

test('moves at the same moment are answered as if they came one after the other', async () => {
  await startOver();
  let [made, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(burst, async ({ option, path, sent }) => {
      const { body } = await sendCreate('ada', option);
      const { id } = body.job;
      let job = created('ada', option);
      // To where the burst begins: what of the path the table has.
      for (const move of path) {
        const who = isDesk(move) ? 'olga' : 'ada';
        const { answer, job: after } = tryMove(job, move, who, false);
        if (answer.status !== 200) continue;
        expect((await sendMove(id, move, who)).status).toBe(200);
        job = after;
      }
      const heard = await Promise.all(
        sent.map(async ({ move, who }) => ({ move, who, answer: answerOf(await sendMove(id, move, who)) })),
      );
      const read = await service.call('GET', `/api/operator/v1/jobs/${id}`, { as: credentials.olga });
      const events = withoutTimes(read.body.events);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
      const holder = (['olga', 'otto'] as const).find(
        (who) => showId('user', people[who].userId) === read.body.job.holder?.operator_id,
      );
      const explained = explains(job, heard, events, holder ?? null);
      expect({ heard, events, explained }).toEqual({ heard, events, explained: true });
      made += heard.filter(({ answer }) => answer.status === 200).length;
      refused += heard.filter(({ answer }) => answer.status !== 200).length;
    }),
    { numRuns: 100 },
  );
  expect(made).toBeGreaterThan(50);
  expect(refused).toBeGreaterThan(50);
  expect(await bookFaults(service.context.db)).toEqual([]);
});
