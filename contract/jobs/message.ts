import Type, { type Static } from 'typebox';
import { Closed, Id, Nullable, Timestamp } from '../shapes.ts';

const authors = ['customer', 'studio', 'worker'] as const;
export type Author = (typeof authors)[number];

export const Message = Closed(
  {
    id: Id('msg'),
    job_id: Id('job'),
    author: Closed(
      {
        kind: Type.Enum([...authors], { type: 'string', description: 'Which side wrote it.' }),
        name: Type.String({
          description: 'Customers read the name of the studio, and workers no names of people.',
        }),
      },
      { description: 'Who wrote it.' },
    ),
    mine: Type.Boolean({ description: 'Whether the caller wrote it: a person, or a key.' }),
    text: Nullable(Type.String(), 'What was written, as plain text; null once it was withdrawn.'),
    file_ids: Type.Array(Id('file'), { description: 'Files sent with it; `files` of the job has them.' }),
    question: Type.Boolean({ description: 'Whether the studio asked a question that stops the clock.' }),
    answered_at: Nullable(Timestamp('When the customer answered the question.')),
    closed_at: Nullable(Timestamp('When a move of the job closed the question without an answer.')),
    created_at: Timestamp('When it was sent.'),
    withdrawn_at: Nullable(Timestamp('When its author withdrew it.')),
    withdrawable_until: Nullable(
      Timestamp('Until when the caller may withdraw it.'),
      'Null for messages of others, and afterwards.',
    ),
  },
  { $id: 'Message', description: 'A message of the thread between the customer and the studio.' },
);
export type Message = Static<typeof Message>;
