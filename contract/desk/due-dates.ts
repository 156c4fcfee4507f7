import Type from 'typebox';
import { rescheduleDays } from './due-bounds.ts';
import { Text } from './job.ts';
import { move } from './desk.ts';
import { endpoint } from '../endpoint.ts';
import { Closed } from '../shapes.ts';

const reason = 'The printer needs a day more for the proofs.';
const { errors, ...line } = move('rescheduleJob', 'reschedule', 'Move the due date of a job');

export const rescheduleJob = endpoint({
  ...line,
  right: 'direct',
  description:
    'With exactly one of `due_at` and `remaining_seconds`. While a question is open the clock stands still, and `remaining_seconds` is what is left on it. Possible while the studio has the job: queued, accepted, running or needs_review. The status stays. The customer reads the reason, in `due_date_changes`.',
  body: Closed(
    {
      due_at: Type.Optional(
        Type.String({
          format: 'date-time',
          description: `The new due date: in the future, at most ${rescheduleDays} days ahead. ISO 8601 with a zone.`,
        }),
      ),
      remaining_seconds: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: rescheduleDays * 86_400,
          description: 'The time that is left once the question is answered.',
        }),
      ),
      reason: Text(500, 'Why, for the customer.', reason),
    },
    { examples: [{ remaining_seconds: 172_800, reason }] },
  ),
  errors: { ...errors, 422: ['invalid_request', 'unsafe_request'] },
});
