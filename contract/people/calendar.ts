import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Done } from './people.ts';
import { Closed, Nullable, Timestamp } from '../shapes.ts';

const calendars = { tag: 'Notifications', auth: 'person' } as const;

export const Calendar = Closed(
  {
    with_titles: Type.Boolean({ description: 'Whether it shows the titles of jobs.' }),
    created_at: Timestamp('When its address was made.'),
  },
  { $id: 'Calendar', description: 'Your calendar of next dates for an account. Its address is a secret.' },
);

export const readCalendar = endpoint({
  ...calendars,
  operationId: 'readCalendar',
  method: 'GET',
  path: '/api/auth/calendar',
  summary: 'Read whether you have a calendar address',
  description: 'For the account that the session acts for. The address itself is shown only when it is made.',
  answers: { 200: { description: 'Null without one.', schema: Closed({ calendar: Nullable(Calendar) }) } },
  errors: {},
});

export const createCalendar = endpoint({
  ...calendars,
  operationId: 'createCalendar',
  method: 'POST',
  path: '/api/auth/calendar',
  summary: 'Make a calendar address, in place of an earlier one',
  description:
    'The address answers an iCalendar feed with the next dates of the open jobs, the newest 500 jobs. It works until you end or replace it, and while you belong to the account; not while the account is suspended.',
  idempotent: 'refused',
  body: Closed({
    with_titles: Type.Optional(
      Type.Boolean({ default: false, description: 'Show the titles of jobs, and not only the name of the account.' }),
    ),
  }),
  location: '/api/auth/calendar',
  answers: {
    201: {
      description: 'The address. It is shown once.',
      schema: Closed({
        calendar: Calendar,
        url: Type.String({ description: 'For the calendar program. Whoever has it reads the dates.' }),
      }),
    },
  },
  errors: { 404: ['account_not_found'], 422: ['invalid_request'] },
});

export const endCalendar = endpoint({
  ...calendars,
  operationId: 'endCalendar',
  method: 'DELETE',
  path: '/api/auth/calendar',
  summary: 'End your calendar address',
  description: 'At once, in every process. Nothing happens without one.',
  answers: { 200: { description: 'Ended.', schema: Done } },
  errors: { 422: ['invalid_request'] },
});
