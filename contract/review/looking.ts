import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Closed, Id, Name, Timestamp } from '../shapes.ts';

/** A page says so every `say` seconds that it shows a review; it counts for `last`. */
export const lookingSeconds = { say: 20, last: 50 };
/** People whom one answer names. */
export const shownLookers = 20;
/** Nobody is told twice within this time. */
export const askedMinutes = 60;

export const Looker = Closed(
  {
    kind: Type.Enum(['customer', 'guest'], {
      type: 'string',
      description: '`customer`: a member of the account. `guest`: somebody with a review link.',
    }),
    name: Type.String({ description: 'Of the member, or as the guest entered it; empty for guests without a name.' }),
    you: Type.Boolean({ description: 'Whether it is the caller.' }),
  },
  { $id: 'Looker', description: 'Somebody who has the review of a job open.' },
);

const Looking = Type.Boolean({ description: 'Whether the review is open now.', examples: [true] });
const Lookers = Closed({
  lookers: Type.Array(Looker, {
    maxItems: shownLookers,
    description: 'Members and guests who have the review open, the caller too. The studio never sees them.',
  }),
});
const how = `Repeat it every ${lookingSeconds.say} seconds while the review is open. It counts for ${lookingSeconds.last} seconds.`;

export const lookAtReview = endpoint({
  operationId: 'lookAtReview',
  method: 'PUT',
  path: '/api/v1/jobs/{id}/looking',
  tag: 'Review',
  summary: 'Say that you look at the review of a job',
  description: `${how} The stream of the account sends \`comments\` when somebody comes or goes. For people, not for keys.`,
  auth: 'caller',
  reviewers: true,
  params: Closed({ id: Id('job') }),
  body: Closed({ looking: Looking }),
  answers: { 200: { description: 'Who looks.', schema: Lookers } },
  errors: { 404: ['job_not_found'], 422: ['invalid_request'] },
});

export const lookAsGuest = endpoint({
  operationId: 'lookAsGuest',
  method: 'PUT',
  path: '/api/v1/review/looking',
  tag: 'Review links',
  auth: 'guest',
  rate: 'open_review',
  summary: 'Say that you look at a review as a guest',
  description: `${how} Guests who may not comment are told of nobody.`,
  body: Closed({ looking: Looking, name: Type.Optional(Name('Vera')) }),
  answers: { 200: { description: 'Who looks.', schema: Lookers } },
  errors: { 404: ['review_link_not_found'], 422: ['invalid_request'] },
});

export const askToLook = endpoint({
  operationId: 'askToLook',
  method: 'POST',
  path: '/api/v1/jobs/{id}/ask-to-look',
  tag: 'Review',
  summary: 'Ask another member to look at a delivery',
  description: `The member is notified in the app, and by mail if they want that, with a link to the review. Whoever was asked about the job within ${askedMinutes} minutes is not notified again. For people, not for keys.`,
  auth: 'caller',
  reviewers: true,
  rate: 'ask_to_look',
  idempotent: 422,
  params: Closed({ id: Id('job') }),
  body: Closed({ user_id: Id('user', 'Another member of the account.') }),
  answers: {
    200: {
      description: 'The member is notified, or was before.',
      schema: Closed({
        user_id: Id('user'),
        name: Type.String({ description: 'The name of the member.' }),
        asked_at: Timestamp('When the member was notified.'),
      }),
    },
  },
  errors: {
    404: ['job_not_found', 'member_not_found'],
    409: ['invalid_transition'],
    422: ['invalid_request'],
  },
});
