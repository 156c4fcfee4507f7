import Type from 'typebox';
import { JobBrand } from '../ordering/brand.ts';
import { jobFields, listedFields } from '../jobs/job.ts';
import { Closed, Creator, Id, Nullable, Timestamp } from '../shapes.ts';
import { standing } from './standing.ts';
import { NotedTime } from './noted-time.ts';

export const Text = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description, examples: [example] });

export const DeskNote = Closed(
  {
    id: Id('note'),
    body: Type.String({ description: 'The text of the note.' }),
    created_by: Creator,
    created_at: Timestamp('When it was written.'),
  },
  {
    $id: 'DeskNote',
    description:
      'Internal: never shown to the customer. A worker sees the note of the last return. Why a worker gave a job back is a note of its key.',
  },
);

const Holder = Nullable(
  Closed(
    {
      operator_id: Nullable(Id('user')),
      worker_key_id: Nullable(Id('wkey')),
      name: Type.String({ description: 'The id of the operator or worker key.' }),
      since: Timestamp('When the hold began.'),
      lease_expires_at: Nullable(Timestamp('When the lease expires; null without a lease.')),
    },
    { $id: 'Holder', description: 'An operator, or a worker with its key.' },
  ),
  'Who holds the job now: an operator or a worker.',
);

const Parked = Type.Boolean({
  description:
    'Five times its lease expired or a worker gave it back, so no worker gets it until an operator moves it.',
});

const SetAside = Nullable(
  Closed(
    {
      reason: Type.String({ description: 'Why.' }),
      set_aside_at: Timestamp('When it was set aside.'),
      set_aside_until: Timestamp('When it comes back.'),
      created_by: Creator,
    },
    { $id: 'SetAside', description: 'Why a job was set aside, and until when. Its clock runs on.' },
  ),
  'Null unless it is set aside, and for workers.',
);

const Overdue = Type.Boolean({ description: 'The studio has it, and its round was not delivered by `due_at`.' });
const DeskAccount = Closed(
  { id: Id('acct'), name: Type.String({ description: 'The name of the account.' }), standing },
  { description: 'The account of the job.' },
);

export const DeskJobListItem = Closed(
  { ...listedFields, account: DeskAccount, holder: Holder, parked: Parked, overdue: Overdue, set_aside: SetAside },
  { $id: 'DeskJobListItem', description: 'A job as the queue lists it.' },
);

export const DeskJob = Closed(
  {
    ...jobFields,
    account: Nullable(DeskAccount, 'Null for workers.'),
    holder: Holder,
    parked: Parked,
    overdue: Overdue,
    set_aside: SetAside,
    quality_review: Type.Boolean({ description: 'Whether a submission waits for a pass.' }),
    other_reviewer: Type.Boolean({ description: 'Whether none of `round_operators` can pass it.' }),
    worked_by: Nullable(Id('user'), 'The operator who holds the job or held it last; null for a worker.'),
    round_operators: Type.Array(Id('user'), {
      description: 'Who had it in this round, or made the worker key that had it.',
    }),
    done_by: Type.Array(
      Closed({ event_id: Id('evt'), name: Type.String({ description: 'Of the person or worker.' }) }),
      {
        description: 'Who of the studio caused which event, with their name today; empty for workers.',
      },
    ),
    submissions: Type.Array(
      Closed({
        message: Nullable(Type.String(), 'The message to the customer; null without one.'),
        created_at: Timestamp('When it was submitted.'),
      }),
      { description: 'The messages of all submissions, oldest first.' },
    ),
    checklist: Type.Array(
      Closed(
        {
          text: Type.String({ description: 'What to check.' }),
          ticked_at: Nullable(Timestamp('When it was ticked in this round.'), 'Null while it is open.'),
          ticked_by: Nullable(Creator, 'Who ticked it; null while it is open.'),
        },
        { $id: 'ChecklistItem', description: 'What the service asks makers to check before they submit.' },
      ),
      { description: 'As it was when the job was ordered. Empty without one.' },
    ),
    times: Type.Array(NotedTime, { description: 'Time that operators noted, oldest first. Empty for workers.' }),
    brand: Nullable(JobBrand, 'The brand kit when the job was ordered; null if empty.'),
    account_note: Nullable(Type.String(), 'The standing note about the account; null without one, and for workers.'),
    notes: Type.Array(DeskNote, { description: 'Internal notes, oldest first.' }),
  },
  { $id: 'DeskJob', description: 'A job as the studio sees it.' },
);
