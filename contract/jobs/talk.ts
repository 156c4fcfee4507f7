import Type from 'typebox';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { talkDaysAfterEnd } from '../moves.ts';
import { Message } from './message.ts';
import { Closed, Count, Creator, Id, NextAction, NextCursor, Nullable, page } from '../shapes.ts';

/** How long an author may withdraw a message. */
export const withdrawMinutes = 15;
/** Messages of one job in a day, of both sides. */
export const messagesPerDay = 200;

export const MessageText = Type.String({
  minLength: 1,
  maxLength: 5_000,
  pattern: '\\S',
  description: '1 to 5,000 code points of plain text.',
  examples: ['Which of the two greens do you prefer?'],
});
export const MessageFiles = Type.Array(Id('file'), {
  maxItems: 10,
  uniqueItems: true,
  description: 'Completed uploads with the purpose `job_reference`: for this job, or without a job. At most 10.',
});

export const Thread = Closed({
  messages: Type.Array(Message, { description: 'Newest first.' }),
  next_cursor: NextCursor,
  read_message_id: Nullable(Id('msg'), 'The last message that the caller has read; null for keys and where none was.'),
  following: Type.Boolean({ description: 'Whether unread messages are mailed to the caller.' }),
});
export const OneMessage = Closed({ message: Message });
export const jobParams = Closed({ id: Id('job') });
export const messageParams = Closed({ id: Id('job'), message_id: Id('msg') });

export const listErrors = { 400: ['invalid_request'], 404: ['job_not_found'] } as const satisfies Endpoint['errors'];
export const sendErrors = {
  403: ['limit_reached'],
  404: ['job_not_found'],
  409: ['invalid_transition'],
  422: ['invalid_request', 'unsafe_request', 'idempotency_key_conflict'],
} as const satisfies Endpoint['errors'];
export const withdrawErrors = {
  404: ['job_not_found', 'message_not_found'],
  409: ['invalid_transition'],
  422: ['invalid_request'],
} as const satisfies Endpoint['errors'];
export const readErrors = { 404: ['job_not_found', 'message_not_found'], 422: ['invalid_request'] } as const;

export const Reading = Closed({ read_message_id: Id('msg', 'The last message that the caller has read.') });
export const Following = Closed({
  following: Type.Boolean({ description: 'Whether unread messages are mailed.', examples: [true] }),
});
export const Unread = Closed({
  total: Count('Unread messages of all jobs.'),
  jobs: Type.Array(Closed({ job_id: Id('job'), unread: Count('Unread messages of this job.') }), {
    maxItems: 100,
    description: 'Jobs with unread messages of the last 30 days, the latest first; at most 100.',
  }),
});

export const listMessages = endpoint({
  operationId: 'listMessages',
  method: 'GET',
  path: '/api/v1/jobs/{id}/messages',
  tag: 'Talk',
  summary: 'List the messages of a job',
  tool: {
    name: 'list_messages',
    hint: 'read',
    id: 'job_id',
    description: 'List the messages between you and the studio about a job, newest first.',
    fields: { cursor: 'Of the last page.' },
    omits: ['followers'],
  },
  description: 'The thread between the customer and the studio, newest first.',
  auth: 'caller',
  reviewers: true,
  params: jobParams,
  query: Closed(page),
  whileViewing: true,
  answers: {
    200: {
      description: 'One page.',
      schema: Closed({
        ...Thread.properties,
        followers: Type.Array(Creator, { description: 'The members who are told of the job, the caller among them.' }),
      }),
    },
  },
  errors: listErrors,
});

export const sendMessage = endpoint({
  operationId: 'sendMessage',
  method: 'POST',
  path: '/api/v1/jobs/{id}/messages',
  tag: 'Talk',
  summary: 'Send the studio a message about a job',
  tool: {
    name: 'send_message',
    hint: 'write',
    repeat: 'by_key',
    id: 'job_id',
    description: 'Send the studio a message about a job. It answers all open questions of the studio.',
    fields: { file_ids: 'Completed uploads with the purpose `job_reference`.' },
  },
  description: `Answers all open questions, and the clock of the job goes on. Possible until ${talkDaysAfterEnd} days after the job has ended. A job takes ${messagesPerDay} messages a day.`,
  auth: 'caller',
  reviewers: true,
  idempotent: 422,
  rate: 'send_message',
  params: jobParams,
  body: Closed({ text: MessageText, file_ids: Type.Optional(MessageFiles) }),
  location: '/api/v1/jobs/{id}/messages',
  answers: {
    201: {
      description: 'The message.',
      schema: Closed({ ...OneMessage.properties, next_action: NextAction }),
    },
  },
  errors: sendErrors,
});

export const withdrawMessage = endpoint({
  operationId: 'withdrawMessage',
  method: 'POST',
  path: '/api/v1/jobs/{id}/messages/{message_id}/withdraw',
  tag: 'Talk',
  summary: 'Withdraw a message',
  description: `By its author, within ${withdrawMinutes} minutes. The text is deleted; the entry stays. Withdrawing an answer does not open its question again.`,
  auth: 'caller',
  reviewers: true,
  idempotent: 422,
  params: messageParams,
  answers: { 200: { description: 'The message without its text.', schema: OneMessage } },
  errors: withdrawErrors,
});

export const readMessages = endpoint({
  operationId: 'readMessages',
  method: 'PUT',
  path: '/api/v1/jobs/{id}/messages/read',
  tag: 'Talk',
  summary: 'Store the last message that you have read',
  description: 'For people; keys have no mark. An earlier message than the stored one changes nothing.',
  auth: 'caller',
  reviewers: true,
  scope: 'api:read',
  params: jobParams,
  body: Closed({ message_id: Id('msg') }),
  answers: { 200: { description: 'The stored mark.', schema: Reading } },
  errors: readErrors,
});

export const followJob = endpoint({
  operationId: 'followJob',
  method: 'PUT',
  path: '/api/v1/jobs/{id}/following',
  tag: 'Talk',
  summary: 'Follow the thread of a job, or stop',
  description: 'People who ordered the job or wrote in its thread follow it automatically.',
  auth: 'caller',
  reviewers: true,
  params: jobParams,
  body: Following,
  answers: { 200: { description: 'The choice.', schema: Following } },
  errors: { 404: ['job_not_found'], 422: ['invalid_request'] },
});

export const countUnread = endpoint({
  operationId: 'countUnread',
  method: 'GET',
  path: '/api/v1/messages/unread',
  tag: 'Talk',
  summary: 'Count your unread messages',
  auth: 'caller',
  reviewers: true,
  whileViewing: true,
  answers: { 200: { description: 'The counts; none for keys.', schema: Unread } },
  errors: {},
});
