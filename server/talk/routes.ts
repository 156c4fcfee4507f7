import * as talk from '../../contract/jobs/talk.ts';
import { route } from '../http/handle.ts';
import { countUnread } from './count-unread.ts';
import { followJob } from './follow-job.ts';
import { listMessages } from './list-messages.ts';
import { readMessages } from './read-messages.ts';
import { sendMessage } from './send-message.ts';
import { withdrawMessage } from './withdraw-message.ts';

export const talkRoutes = [
  route(listMessages, talk.listMessages),
  route(sendMessage, talk.sendMessage),
  route(withdrawMessage, talk.withdrawMessage),
  route(readMessages, talk.readMessages),
  route(followJob, talk.followJob),
  route(countUnread, talk.countUnread),
];
