import Type from 'typebox';
import { heldExample, holderFields } from './desk.ts';
import { endpoint } from '../endpoint.ts';
import { Closed, Id, page } from '../shapes.ts';
import {
  Following,
  jobParams,
  listErrors,
  MessageFiles,
  messageParams,
  MessageText,
  OneMessage,
  readErrors,
  Reading,
  sendErrors,
  Thread,
  Unread,
  withdrawErrors,
  withdrawMinutes,
} from '../jobs/talk.ts';

export const listDeskMessages = endpoint({
  operationId: 'listDeskMessages',
  method: 'GET',
  path: '/api/operator/v1/jobs/{id}/messages',
  tag: 'Desk',
  summary: 'List the messages of a job at the desk',
  description: 'Newest first. A worker reads those of a job that it holds under a lease.',
  auth: 'desk',
  right: 'work',
  params: jobParams,
  query: Closed(page),
  answers: { 200: { description: 'One page.', schema: Thread } },
  errors: listErrors,
});

export const sendDeskMessage = endpoint({
  operationId: 'sendDeskMessage',
  method: 'POST',
  path: '/api/operator/v1/jobs/{id}/messages',
  tag: 'Desk',
  summary: 'Send the customer a message, or ask a question',
  description:
    'A question stops the clock of a job that is queued, accepted, running or needs_review until the customer answers: no worker claims it and it is not overdue. A worker sends its `lease_token`; its question gives the job back to the queue.',
  auth: 'desk',
  right: 'work',
  csrf: true,
  idempotent: 422,
  params: jobParams,
  body: Closed(
    {
      ...holderFields,
      text: MessageText,
      file_ids: Type.Optional(MessageFiles),
      question: Type.Optional(Type.Boolean({ default: false, description: 'Ask, and stop the clock.' })),
    },
    { examples: [{ ...heldExample, text: 'Which green do you prefer?', question: true }] },
  ),
  location: '/api/operator/v1/jobs/{id}/messages',
  answers: { 201: { description: 'The message.', schema: OneMessage } },
  errors: { ...sendErrors, 409: ['invalid_transition', 'lease_lost'] },
});

export const withdrawDeskMessage = endpoint({
  operationId: 'withdrawDeskMessage',
  method: 'POST',
  path: '/api/operator/v1/jobs/{id}/messages/{message_id}/withdraw',
  tag: 'Desk',
  summary: 'Withdraw a message of the studio',
  description: `By its author, within ${withdrawMinutes} minutes; an open question by any operator at any time. When the last open question is withdrawn, the clock goes on. A worker sends its \`lease_token\`.`,
  auth: 'desk',
  right: 'work',
  csrf: true,
  idempotent: 422,
  params: messageParams,
  body: Closed(holderFields, { examples: [heldExample] }),
  answers: { 200: { description: 'The message without its text.', schema: OneMessage } },
  errors: { ...withdrawErrors, 409: ['invalid_transition', 'lease_lost'] },
});

export const readDeskMessages = endpoint({
  operationId: 'readDeskMessages',
  method: 'PUT',
  path: '/api/operator/v1/jobs/{id}/messages/read',
  tag: 'Desk',
  summary: 'Store the last message that you have read at the desk',
  description: 'An earlier message than the stored one changes nothing.',
  auth: 'operator',
  right: 'work',
  csrf: true,
  params: jobParams,
  body: Closed({ message_id: Id('msg') }),
  answers: { 200: { description: 'The stored mark.', schema: Reading } },
  errors: readErrors,
});

export const followDeskJob = endpoint({
  operationId: 'followDeskJob',
  method: 'PUT',
  path: '/api/operator/v1/jobs/{id}/following',
  tag: 'Desk',
  summary: 'Follow the thread of a job at the desk, or stop',
  description: 'The operator who holds the job and those who wrote in its thread follow it automatically.',
  auth: 'operator',
  right: 'work',
  csrf: true,
  params: jobParams,
  body: Following,
  answers: { 200: { description: 'The choice.', schema: Following } },
  errors: { 404: ['job_not_found'], 422: ['invalid_request'] },
});

export const countDeskUnread = endpoint({
  operationId: 'countDeskUnread',
  method: 'GET',
  path: '/api/operator/v1/messages/unread',
  tag: 'Desk',
  summary: 'Count the messages of customers that you have not read',
  auth: 'operator',
  right: 'work',
  answers: { 200: { description: 'The counts.', schema: Unread } },
  errors: {},
});
