import { expect, test } from 'vitest';
import type { Job, JobEvent, Message } from '../../app/api.ts';
import { storyOf } from './job-story.ts';

let clock = 0;
const ada = { kind: 'user', id: 'user_ada', name: 'Ada' } as const;
const event = (type: JobEvent['type'], actor: JobEvent['actor'] = 'operator', data: JobEvent['data'] = {}) =>
  ({
    id: `evt_${++clock}`,
    type,
    actor,
    created_by: actor === 'customer' ? ada : null,
    data,
    created_at: `2026-11-22T00:00:${String(clock).padStart(2, '0')}Z`,
  }) as JobEvent;
const message = (changes: Partial<Message>) =>
  ({
    id: `msg_${++clock}`,
    author: { kind: 'studio', name: 'The studio' },
    text: 'Good morning',
    file_ids: [],
    question: false,
    mine: false,
    answered_at: null,
    closed_at: null,
    withdrawn_at: null,
    withdrawable_until: null,
    created_at: `2026-11-22T00:00:${String(clock).padStart(2, '0')}Z`,
    ...changes,
  }) as Message;
const ordered = event('job.created', 'customer');
const job = {
  status: 'running',
  created_at: ordered.created_at,
  created_by: ada,
  reason: null,
  files: [],
  deliveries: [],
  revisions: { used: 0, included: 2 },
  revision_requests: [],
  due_date_changes: [],
} as unknown as Job;

const said = (changes: Partial<Job>, events: JobEvent[], messages: Message[] = [], me = 'user_ada') =>
  storyOf({ ...job, ...changes }, events, messages, me).map((entry) =>
    entry.kind === 'event' ? [entry.who, entry.title].filter(Boolean).join(' ') : `${entry.author.name}: ${entry.text}`,
  );

test('events and words stand in one list, the oldest first', () => {
  const accepted = event('job.accepted');
  const hello = message({});
  const started = event('job.started');
  expect(said({}, [ordered, accepted, started], [hello])).toEqual([
    'You ordered the job',
    'The studio accepted it',
    'The studio: Good morning',
    'Work started',
  ]);
});

test('“You” is the reader alone: a colleague, a key and an app have their names, and what has none is of the account', () => {
  const by = (created_by: JobEvent['created_by']) => ({ ...event('job.canceled', 'customer'), created_by });
  expect(said({}, [ordered], [], 'user_bob')).toEqual(['Ada ordered the job']);
  const key = { id: 'key_1', name: 'shop' };
  expect(said({}, [by({ kind: 'api_key', ...key }), by({ kind: 'app', ...key }), by(null)])).toEqual([
    'The key “shop” canceled the job',
    'The app “shop” canceled the job',
    'Somebody of your account canceled the job',
  ]);
});

test('with several deliveries the approval says which', () => {
  const deliveries = [{ file_ids: [] }, { file_ids: [] }] as unknown as Job['deliveries'];
  expect(said({ deliveries }, [event('job.approved', 'customer', { round: 1 })], [], 'user_bob')).toEqual([
    'Ada approved delivery 2',
  ]);
});

test('files that came with the order, a message or a delivery, and a completion that was approved, are said once', () => {
  const attached = { ...event('job.file_attached', 'customer'), created_at: ordered.created_at };
  const events = [
    ordered,
    attached,
    event('job.file_attached', 'customer', { file_id: 'file_1' }),
    event('job.file_attached', 'customer', { file_id: 'file_2' }),
    event('job.message_added', 'customer'),
    event('job.deliverable_added'),
    event('job.approved', 'customer'),
    event('job.completed'),
  ];
  const withFile = message({ file_ids: ['file_1'], created_at: '2026-11-22T00:01:00Z' });
  expect(said({}, events, [withFile])).toEqual([
    'You ordered the job',
    'You attached a file',
    'You approved the work',
    'The studio: Good morning',
  ]);
  expect(said({}, [ordered, event('job.completed')]).at(-1)).toBe('Completed');
});

test('rounds of changes are numbered, with the words of each', () => {
  const requests = [
    { round: 1, customer_instructions: 'Warmer' },
    { round: 2, customer_instructions: 'Bluer' },
  ] as Job['revision_requests'];
  const events = [event('job.revision_requested', 'customer'), event('job.revision_requested', 'customer')];
  const story = storyOf({ ...job, revision_requests: requests }, events, [], 'user_ada');
  expect(story).toMatchObject([
    { who: 'You', title: 'asked for changes, round 1 of 2', detail: '“Warmer”', tone: 'you' },
    { who: 'You', title: 'asked for changes, round 2 of 2', detail: '“Bluer”', tone: 'you' },
  ]);
});

test('a round with a due date says it', () => {
  const due_at = '2026-11-30T12:00:00Z';
  const [entry] = storyOf(job, [event('job.revision_requested', 'customer', { round: 0, due_at })], [], 'user_ada');
  expect(entry).toMatchObject({
    who: 'You',
    title: expect.stringMatching(/^asked for changes, round 1 of 2, due .*30/),
  });
});

test('only the delivery that waits is the turn of the reader', () => {
  const events = [0, 1].map((round) => event('job.ready_for_customer_review', 'operator', { round }));
  const deliveries = [{ file_ids: ['file_1'] }, { file_ids: ['file_2', 'file_3'] }] as Job['deliveries'];
  const waiting = {
    ...job,
    status: 'ready_for_customer_review',
    deliveries,
    revisions: { used: 1, included: 2 },
  } as Job;
  expect(storyOf(waiting, events, [], 'user_ada')).toMatchObject([
    { title: 'Delivery 1, 1 file', tone: undefined },
    { title: 'Delivered for your review, 2 files', tone: 'turn' },
  ]);
  expect(storyOf({ ...waiting, status: 'completed' }, events, [], 'user_ada')).toMatchObject([
    { title: 'Delivery 1, 1 file', tone: undefined },
    { title: 'Delivery 2, 2 files', tone: undefined },
  ]);
});

test('a rejection carries its reason', () => {
  const rejected = { ...job, reason: { code: 'unclear', message: 'Which bakery?' } } as Job;
  expect(storyOf(rejected, [event('job.rejected')], [], 'user_ada')).toMatchObject([
    { tone: 'bad', detail: 'Which bakery?' },
  ]);
});

test('a job that was canceled or rejected says whether its unit is back', () => {
  const rejected = { ...job, reason: { code: 'unclear', message: 'Which bakery?' } } as Job;
  const ends = [event('job.canceled', 'customer', { unit_returned: false })];
  expect(storyOf(job, ends, [], 'user_ada')).toMatchObject([
    { who: 'You', title: 'canceled the job', detail: 'It stays counted.' },
  ]);
  expect(storyOf(rejected, [event('job.rejected', 'operator', { unit_returned: true })], [], 'user_ada')).toMatchObject(
    [{ detail: 'Which bakery? It is back in the quota.' }],
  );
});

test('a due date that the studio moved has its reason, also while the clock stands still', () => {
  const due_at = '2026-11-30T12:00:00Z';
  const moved = event('job.due_date_changed', 'operator', { due_at, previous_due_at: '2026-11-28T12:00:00Z' });
  const left = event('job.due_date_changed', 'operator', { due_at: null, remaining_seconds: 86_400 });
  const clock = event('job.due_date_changed', 'operator', { due_at });
  const due_date_changes = [moved, left].map(({ id: event_id, created_at }) => ({
    event_id,
    reason: '<b>The printer</b> is late.',
    created_at,
  }));
  expect(storyOf({ ...job, due_date_changes }, [moved, left, clock], [], 'user_ada')).toMatchObject([
    {
      who: 'The studio',
      title: expect.stringMatching(/^moved the due date to .*30/),
      detail: '“<b>The printer</b> is late.”',
    },
    { who: 'The studio', title: 'set the time left after your answer to 1d' },
    { title: expect.stringMatching(/^The clock runs again: .*30/) },
  ]);
});

test('an open question is one line, an answered one its words', () => {
  const open = message({ question: true, text: 'Which green?' });
  const answered = message({ question: true, text: 'Which red?', answered_at: '2026-11-22T01:00:00Z' });
  const closed = message({ question: true, text: 'Which blue?', closed_at: '2026-11-22T01:00:00Z' });
  expect(said({}, [event('job.question_asked')], [open, answered, closed])).toEqual([
    'The studio asked you; the clock stands still',
    'The studio: Which red?',
    'The studio: Which blue?',
  ]);
});

test('an answer says when the job is due from now on', () => {
  const answered = event('job.question_answered', 'customer', { due_at: '2026-11-24T22:20:00Z', waited_seconds: 60 });
  expect(said({}, [answered])[0]).toMatch(/^You answered. The clock runs again: .*Nov.*(23|11):20/);
  expect(said({}, [event('job.question_answered', 'customer', { due_at: null })])).toEqual([
    'You answered the question, and the clock went on',
  ]);
});

test('a change names what concerns people; metadata alone and types of a later release say nothing', () => {
  const change = (...changed: string[]) => event('job.updated', 'customer', { changed } as unknown as JobEvent['data']);
  expect(said({}, [change('reference', 'metadata', 'wanted_by'), change('reference')])).toEqual([
    'You changed the reference and the wish date',
    'You changed the reference',
  ]);
  expect(said({}, [change('metadata'), change('of_later'), event('job.of_later' as 'job.updated')])).toEqual([]);
});

test('a message that was taken back leaves one line', () => {
  const gone = { text: null, withdrawn_at: '2026-11-22T00:02:00Z' };
  const own = message({ ...gone, mine: true, author: { kind: 'customer', name: 'Ada' } });
  const colleague = message({ ...gone, author: { kind: 'customer', name: 'Noor' } });
  expect(said({}, [], [own, colleague])).toEqual(['You took a message back', 'Noor took a message back']);
});

test('files of a message keep its order, and files that the job no longer has are left out', () => {
  const files = [{ id: 'file_1' }, { id: 'file_2' }] as Job['files'];
  const [entry] = storyOf({ ...job, files }, [], [message({ file_ids: ['file_2', 'file_9', 'file_1'] })], 'user_ada');
  expect(entry).toMatchObject({ files: [{ id: 'file_2', url: '/api/v1/files/file_2/download' }, { id: 'file_1' }] });
});
