import * as accountOrders from '../../../contract/desk/account-orders.ts';
import * as alerts from '../../../contract/desk/alerts.ts';
import * as archives from '../../../contract/files/archives.ts';
import * as checklist from '../../../contract/desk/checklist.ts';
import * as comments from '../../../contract/desk/comments.ts';
import * as deliverables from '../../../contract/desk/deliverables.ts';
import * as desk from '../../../contract/desk/desk.ts';
import * as drafts from '../../../contract/desk/drafts.ts';
import * as dueDates from '../../../contract/desk/due-dates.ts';
import * as queue from '../../../contract/desk/queue.ts';
import * as setAside from '../../../contract/desk/set-aside.ts';
import * as talk from '../../../contract/desk/talk.ts';
import * as times from '../../../contract/desk/times.ts';
import { route } from '../../http/handle.ts';
import { acceptJob } from './accept-job.ts';
import { addNote } from './add-note.ts';
import { claimJob } from './claim-job.ts';
import { completeComment } from './complete-comment.ts';
import { completeDeliverable } from './complete-deliverable.ts';
import { countDeskUnread } from './count-desk-unread.ts';
import { countListedJobs } from './count-listed-jobs.ts';
import { countQueue } from './count-queue.ts';
import { createDeliverablePoster } from './create-deliverable-poster.ts';
import { createJobArchive } from './create-job-archive.ts';
import { downloadJobFile } from './download-job-file.ts';
import { endSetAside } from './end-set-aside.ts';
import { followDeskJob } from './follow-desk-job.ts';
import { heartbeatLease } from './heartbeat-lease.ts';
import { holdJob } from './hold-job.ts';
import { listDeskComments } from './list-desk-comments.ts';
import { listDeskMessages } from './list-desk-messages.ts';
import { listQueue } from './list-queue.ts';
import { noteTime } from './note-time.ts';
import { openJobArchive } from './open-job-archive.ts';
import { openJobFile } from './open-job-file.ts';
import { orderForAccount } from './order-for-account.ts';
import { passJob } from './pass-job.ts';
import { presignDeliverable } from './presign-deliverable.ts';
import { readAlerts } from './read-alerts.ts';
import { readDeliveryDraft } from './read-delivery-draft.ts';
import { readDeskJob } from './read-desk-job.ts';
import { readDeskMessages } from './read-desk-messages.ts';
import { rejectJob } from './reject-job.ts';
import { releaseJob } from './release-job.ts';
import { reopenComment } from './reopen-comment.ts';
import { replaceTime } from './replace-time.ts';
import { rescheduleJob } from './reschedule-job.ts';
import { returnJob } from './return-job.ts';
import { saveDeliveryDraft } from './save-delivery-draft.ts';
import { sendDeskMessage } from './send-desk-message.ts';
import { setJobAside } from './set-job-aside.ts';
import { startJob } from './start-job.ts';
import { streamQueue } from './stream-queue.ts';
import { submitJob } from './submit-job.ts';
import { tickItem } from './tick-item.ts';
import { viewJob } from './view-job.ts';
import { withdrawDeskMessage } from './withdraw-desk-message.ts';
import { withdrawTime } from './withdraw-time.ts';

export const queueRoutes = [
  route(listQueue, queue.listQueue),
  route(countQueue, queue.countQueue),
  route(countListedJobs, queue.countListedJobs),
  route(streamQueue, queue.streamQueue),
  route(viewJob, queue.viewJob),
  route(readAlerts, alerts.readAlerts),
  route(readDeskJob, desk.readDeskJob),
  route(readDeliveryDraft, drafts.readDeliveryDraft),
  route(saveDeliveryDraft, drafts.saveDeliveryDraft),
  route(listDeskComments, comments.listDeskComments),
  route(completeComment, comments.completeComment),
  route(reopenComment, comments.reopenComment),
  route(addNote, desk.addNote),
  route(orderForAccount, accountOrders.orderForAccount),
  route(claimJob, desk.claimJob),
  route(heartbeatLease, desk.heartbeatLease),
  route(acceptJob, desk.acceptJob),
  route(startJob, desk.startJob),
  route(submitJob, desk.submitJob),
  route(passJob, desk.passJob),
  route(returnJob, desk.returnJob),
  route(rejectJob, desk.rejectJob),
  route(releaseJob, desk.releaseJob),
  route(holdJob, desk.holdJob),
  route(rescheduleJob, dueDates.rescheduleJob),
  route(setJobAside, setAside.setJobAside),
  route(endSetAside, setAside.endSetAside),
  route(tickItem, checklist.tickItem),
  route(noteTime, times.noteTime),
  route(replaceTime, times.replaceTime),
  route(withdrawTime, times.withdrawTime),
  route(presignDeliverable, deliverables.presignDeliverable),
  route(completeDeliverable, deliverables.completeDeliverable),
  route(createDeliverablePoster, deliverables.createDeliverablePoster),
  route(downloadJobFile, deliverables.downloadJobFile),
  route(openJobFile, deliverables.openJobFile),
  route(openJobArchive, archives.openJobArchive),
  route(createJobArchive, archives.createJobArchive),
  route(listDeskMessages, talk.listDeskMessages),
  route(sendDeskMessage, talk.sendDeskMessage),
  route(withdrawDeskMessage, talk.withdrawDeskMessage),
  route(readDeskMessages, talk.readDeskMessages),
  route(followDeskJob, talk.followDeskJob),
  route(countDeskUnread, talk.countDeskUnread),
];
