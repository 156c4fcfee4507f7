import Type, { type Static } from 'typebox';
import { draftFields } from './new-job.ts';
import { Closed, Id, Nullable, Timestamp } from '../shapes.ts';

export const RequirementAnswer = Closed({
  requirement: Type.String({ description: 'A requirement of the family.' }),
  answer: Type.String({ description: 'What the customer answered.' }),
});

export const DraftAnswer = Closed(
  {
    ...RequirementAnswer.properties,
    source: Type.Enum(['typed', 'accepted', 'brand', 'copied'], {
      type: 'string',
      description: 'Where it comes from.',
    }),
  },
  { $id: 'DraftAnswer', description: 'An answer that counts.' },
);

export const Suggestion = Closed(
  {
    ...RequirementAnswer.properties,
    span: Type.String({
      description: 'The words of the customer that it was read from, or the fact of the brand kit.',
    }),
    by: Type.Enum(['labels', 'pattern', 'brand', 'model', 'reply'], {
      type: 'string',
      description: 'How it was found. `reply`: a reply to the question that may not be its answer.',
    }),
  },
  { $id: 'Suggestion', description: 'What may be an answer. It counts once the customer accepts it.' },
);

export const IntentBrief = Closed(
  {
    version: Type.Integer({ minimum: 1, description: 'Grows with each change of the draft.' }),
    ...draftFields,
    answered_requirements: Type.Array(RequirementAnswer, { description: '`answers` without their source.' }),
    answers: Type.Array(DraftAnswer, { description: 'Answers that the customer gave or accepted.' }),
    suggestions: Type.Array(Suggestion, { description: 'Suggestions that the customer did not accept.' }),
    quality_signals: Type.Array(Type.String(), { description: 'What the studio will check the work against.' }),
    file_ids: Type.Array(Id('file'), { description: 'Files of the account that the customer named.' }),
    wanted_by: Nullable(Timestamp('When the customer wishes to have the work. It promises nothing.')),
  },
  { $id: 'IntentBrief', description: 'What an intake conversation proposes as a job.' },
);
export type IntentBrief = Static<typeof IntentBrief>;
