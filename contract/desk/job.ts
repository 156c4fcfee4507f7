import Type from 'typebox';
import { JobBrand } from '../ordering/brand.ts';
import { jobFields, listedFields } from '../jobs/job.ts';
import { Closed, Creator, Id, Nullable, Timestamp } from '../shapes.ts';
import { standing } from './standing.ts';

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
    description: 'Internal: never shown to the customer. A worker sees the note of the last return.',
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
  description: 'Five of its leases have expired, so no worker gets it until an operator moves it.',
});

const Overdue = Type.Boolean({ description: 'The studio has it, and its round was not delivered by `due_at`.' });
const DeskAccount = Closed(
  { id: Id('acct'), name: Type.String({ description: 'The name of the account.' }), standing },
  { description: 'The account of the job.' },
);

export const DeskJobListItem = Closed(
  { ...listedFields, account: DeskAccount, holder: Holder, parked: Parked, overdue: Overdue },
  { $id: 'DeskJobListItem', description: 'A job as the queue lists it.' },
);

export const DeskJob = Closed(
  {
    ...jobFields,
    account: Nullable(DeskAccount, 'Null for workers.'),
    holder: Holder,
    parked: Parked,
    overdue: Overdue,
    quality_review: Type.Boolean({ description: 'Whether a submission waits for a pass.' }),
    other_reviewer: Type.Boolean({ description: 'Whether none of `round_operators` can pass it.' }),
    worked_by: Nullable(Id('user'), 'The operator who holds the job or held it last; null for a worker.'),
    round_operators: Type.Array(Id('user'), {
      description: 'Who had it in this round, or made the worker key that had it.',
    }),
    done_by: Type.Array(Closed({ event_id: Id('evt'), name: Type.String() }), {
      description: 'Who of the studio caused which event, with their name today; empty for workers.',
    }),
    submissions: Type.Array(
      Closed({
        message: Nullable(Type.String(), 'The message to the customer; null without one.'),
        created_at: Timestamp('When it was submitted.'),
      }),
      { description: 'The messages of all submissions, oldest first.' },
    ),
    brand: Nullable(JobBrand, 'The brand kit when the job was ordered; null if empty.'),
    account_note: Nullable(Type.String(), 'The standing note about the account; null without one, and for workers.'),
    notes: Type.Array(DeskNote, { description: 'Internal notes, oldest first.' }),
  },
  { $id: 'DeskJob', description: 'A job as the studio sees it.' },
);
