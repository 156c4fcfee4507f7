import { expect, test, vi } from 'vitest';
import type { DeskJob, JobEvent, Message, ReviewComment } from '../../app/api.ts';

vi.mock('./send-deliverable.ts', () => ({ deskFileUrl: (id: string) => `/files/${id}` }));
const { deskStory, holdEntry } = await import('./desk-story.ts');

let minute = 0;
const at = () => `2026-11-22T00:${String(minute++).padStart(2, '0')}:00Z`;
const event = (id: string, type: JobEvent['type'], actor: JobEvent['actor'], data: object = {}) =>
  ({ id, type, actor, data, created_at: at() }) as JobEvent;
const message = (id: string, change: Partial<Message> = {}) =>
  ({
    id,
    author: { kind: 'customer', name: 'Ada' },
    mine: false,
    text: 'Words',
    file_ids: [],
    question: false,
    answered_at: null,
    closed_at: null,
    withdrawn_at: null,
    withdrawable_until: null,
    created_at: at(),
    ...change,
  }) as Message;
const noor = { kind: 'user', id: 'user_noor', name: 'Noor' } as const;
const note = {
  id: 'note_1',
  body: 'Look',
  created_by: { kind: 'user', id: 'user_me', name: 'Mira' },
  created_at: at(),
};
const job = {
  reason: { code: 'unclear', message: 'Which bakery?' },
  notes: [note],
  done_by: [{ event_id: '2', name: 'Ben' }],
  files: [],
  due_date_changes: [{ event_id: 'moved', reason: 'The printer is late.', created_at: '2026-11-22T00:00:00Z' }],
  revisions: { used: 2, included: 3 },
};
const told = (events: JobEvent[], messages: Message[], part?: 'all' | 'words' | 'notes') =>
  deskStory(
    {
      job: job as unknown as DeskJob,
      events,
      messages,
      comments: [{ round: 0 }, { round: 0 }, { round: 1 }] as ReviewComment[],
      audit: [],
      me: 'user_me',
      operatorName: () => undefined,
    },
    part,
  );

test('events name who did what, number the rounds, and leave out what a message says', () => {
  const entries = told(
    [
      event('1', 'job.created', 'customer'),
      event('2', 'job.accepted', 'operator'),
      event('3', 'job.submitted', 'worker'),
      event('4', 'job.message_added', 'customer'),
      { ...event('5', 'job.revision_requested', 'customer'), created_by: noor },
      event('6', 'job.rejected', 'operator'),
    ],
    [],
  ).filter(({ kind }) => kind === 'event');
  expect(entries).toMatchObject([
    { title: 'Ordered', tone: 'you' },
    { title: 'Accepted', detail: 'by Ben' },
    { title: 'Submitted', detail: 'by a worker' },
    { title: 'The customer asked for changes, round 1 of 3: 2 comments', detail: 'by Noor', tone: 'you' },
    { title: 'Rejected', detail: 'Which bakery?', tone: 'bad' },
  ]);
});

test('a change of the customer names what concerns people; metadata alone says nothing', () => {
  const changes = [
    event('c1', 'job.updated', 'customer', { changed: ['reference', 'metadata', 'wanted_by'] }),
    event('c2', 'job.updated', 'customer', { changed: ['metadata'] }),
    event('c3', 'job.of_later' as 'job.updated', 'customer'),
  ];
  const titles = told(changes, []).flatMap((entry) => (entry.kind === 'event' ? [entry.title] : []));
  expect(titles).toEqual(['The customer changed the reference and the wish date']);
});

test('a cancellation says whether the unit is back', () => {
  const ends = [event('c', 'job.canceled', 'customer', { unit_returned: true })];
  const entry = told(ends, []).find(({ kind }) => kind === 'event');
  expect(entry).toMatchObject({ title: 'The customer canceled', detail: 'It is back in the quota.' });
});

test('a due date that was moved has its reason; one that moved with the clock has none', () => {
  const due_at = '2026-11-30T12:00:00Z';
  const entries = told(
    [
      event('moved', 'job.due_date_changed', 'operator', { due_at, previous_due_at: '2026-11-28T12:00:00Z' }),
      event('8', 'job.due_date_changed', 'operator', { due_at }),
    ],
    [],
  ).filter(({ kind }) => kind === 'event');
  expect(entries).toMatchObject([
    { title: expect.stringMatching(/^Due date moved to .*30/), detail: 'The printer is late.' },
    { title: expect.stringMatching(/^The clock runs again, due .*30/), detail: undefined },
  ]);
});

test('a note is never a message, and each part of the story has its own', () => {
  const messages = [message('msg_1'), message('msg_2', { mine: true, question: true })];
  const kinds = (part: 'words' | 'notes') =>
    told([event('7', 'job.started', 'operator')], messages, part).map(({ kind }) => kind);
  expect(kinds('words')).toEqual(['message', 'message']);
  expect(kinds('notes')).toEqual(['note']);
});

test('a question says whether it is open; a message that was taken back has no words', () => {
  const [open, answered, gone] = told(
    [],
    [
      message('msg_3', { question: true }),
      message('msg_4', { question: true, answered_at: at() }),
      message('msg_5', { text: null, mine: true }),
    ],
    'words',
  );
  expect([open, answered]).toMatchObject([{ badge: 'question, open' }, { badge: 'question, answered' }]);
  expect(gone).toMatchObject({ kind: 'event', who: 'You', title: 'took a message back' });
});

test('a job that changes hands says to whom', () => {
  const operatorName = (id: unknown) => (id === 'user_bob' ? 'Bob' : undefined);
  const entry = (holder: string) =>
    holdEntry(
      {
        id: 'aud_1',
        action: 'job.held',
        created_by: { kind: 'user', id: 'user_ada', name: 'Ada' },
        details: { holder },
        created_at: '2026-11-22T00:00:00Z',
      },
      operatorName,
    );
  expect(entry('user_ada')).toMatchObject({ who: 'Ada', title: 'took the job over' });
  expect(entry('user_bob').title).toBe('handed the job over to Bob');
  expect(entry('user_who_left').title).toBe('handed the job over to a colleague');
});
