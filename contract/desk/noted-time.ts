import Type from 'typebox';
import { Closed, Creator, Id, Nullable, Timestamp } from '../shapes.ts';
import { timeBounds } from './time-bounds.ts';

export const timeEntry = {
  minutes: Type.Integer({ minimum: 1, maximum: timeBounds.minutes, description: 'How long.', examples: [90] }),
  worked_on: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'On which day.', examples: ['2026-11-21'] }),
};

export const NotedTime = Closed(
  {
    id: Id('time'),
    ...timeEntry,
    words: Nullable(Type.String(), 'What was done; null without words.'),
    created_by: Creator,
    created_at: Timestamp('When it was noted.'),
  },
  { $id: 'NotedTime', description: 'Time that an operator noted on a job. The customer and workers never see it.' },
);
