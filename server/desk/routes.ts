import * as accountNotes from '../../contract/account-notes.ts';
import * as accountViews from '../../contract/account-views.ts';
import * as alerts from '../../contract/alerts.ts';
import * as deliverables from '../../contract/deliverables.ts';
import * as comments from '../../contract/desk-comments.ts';
import * as desk from '../../contract/desk.ts';
import * as drafts from '../../contract/drafts.ts';
import * as dueDates from '../../contract/due-dates.ts';
import * as deskAccounts from '../../contract/desk-accounts.ts';
import * as operatorInvitations from '../../contract/operator-invitations.ts';
import * as operators from '../../contract/operators.ts';
import * as exports from '../../contract/exports.ts';
import * as figures from '../../contract/figures.ts';
import * as quotaAdjustments from '../../contract/quota-adjustments.ts';
import * as queue from '../../contract/queue.ts';
import * as reports from '../../contract/reports.ts';
import * as suspensions from '../../contract/suspensions.ts';
import * as talk from '../../contract/desk-talk.ts';
import { route } from '../http/handle.ts';
import { acceptJob } from './accept-job.ts';
import { acceptOperatorInvitation } from './accept-operator-invitation.ts';
import { addNote } from './add-note.ts';
import { cancelOperatorInvitation } from './cancel-operator-invitation.ts';
import { claimJob } from './claim-job.ts';
import { completeComment } from './complete-comment.ts';
import { completeDeliverable } from './complete-deliverable.ts';
import { countDeskUnread } from './count-desk-unread.ts';
import { countQueue } from './count-queue.ts';
import { createDeliverablePoster } from './create-deliverable-poster.ts';
import { createQuotaAdjustment } from './create-quota-adjustment.ts';
import { downloadJobFile } from './download-job-file.ts';
import { endAccountView } from './end-account-view.ts';
import { followDeskJob } from './follow-desk-job.ts';
import { heartbeatLease } from './heartbeat-lease.ts';
import { holdJob } from './hold-job.ts';
import { inviteOperator } from './invite-operator.ts';
import { listAccounts } from './list-accounts.ts';
import { listDeskComments } from './list-desk-comments.ts';
import { listDeskMessages } from './list-desk-messages.ts';
import { listOperatorInvitations } from './list-operator-invitations.ts';
import { listOperators } from './list-operators.ts';
import { listQueue } from './list-queue.ts';
import { listReportRows } from './list-report-rows.ts';
import { openJobFile } from './open-job-file.ts';
import { passJob } from './pass-job.ts';
import { presignDeliverable } from './presign-deliverable.ts';
import { readAccount } from './read-account.ts';
import { readAlerts } from './read-alerts.ts';
import { readDeliveryDraft } from './read-delivery-draft.ts';
import { readDeskJob } from './read-desk-job.ts';
import { readDeskMessages } from './read-desk-messages.ts';
import { readFigures } from './read-figures.ts';
import { readMailedOperatorInvitation } from './read-mailed-operator-invitation.ts';
import { readReport } from './read-report.ts';
import { rejectJob } from './reject-job.ts';
import { releaseJob } from './release-job.ts';
import { removeOperator } from './remove-operator.ts';
import { reopenAccount } from './reopen-account.ts';
import { reopenComment } from './reopen-comment.ts';
import { replaceAccountNote } from './replace-account-note.ts';
import { rescheduleJob } from './reschedule-job.ts';
import { returnJob } from './return-job.ts';
import { saveDeliveryDraft } from './save-delivery-draft.ts';
import { sendDeskMessage } from './send-desk-message.ts';
import { startExport } from './start-export.ts';
import { startJob } from './start-job.ts';
import { streamQueue } from './stream-queue.ts';
import { submitJob } from './submit-job.ts';
import { suspendAccount } from './suspend-account.ts';
import { updateOperator } from './update-operator.ts';
import { viewAccount } from './view-account.ts';
import { countMoney } from './count-money.ts';
import { readMoney } from './read-money.ts';
import * as money from '../../contract/money.ts';
import { viewJob } from './view-job.ts';
import { withdrawDeskMessage } from './withdraw-desk-message.ts';

export const deskRoutes = [
  route(listQueue, queue.listQueue),
  route(countQueue, queue.countQueue),
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
  route(presignDeliverable, deliverables.presignDeliverable),
  route(completeDeliverable, deliverables.completeDeliverable),
  route(createDeliverablePoster, deliverables.createDeliverablePoster),
  route(downloadJobFile, deliverables.downloadJobFile),
  route(openJobFile, deliverables.openJobFile),
  route(listAccounts, deskAccounts.listAccounts),
  route(readAccount, deskAccounts.readAccount),
  route(replaceAccountNote, accountNotes.replaceAccountNote),
  route(createQuotaAdjustment, quotaAdjustments.createQuotaAdjustment),
  route(suspendAccount, suspensions.suspendAccount),
  route(reopenAccount, suspensions.reopenAccount),
  route(viewAccount, accountViews.viewAccount),
  route(endAccountView, accountViews.endAccountView),
  route(listOperators, operators.listOperators),
  route(updateOperator, operators.updateOperator),
  route(removeOperator, operators.removeOperator),
  route(inviteOperator, operatorInvitations.inviteOperator),
  route(listOperatorInvitations, operatorInvitations.listOperatorInvitations),
  route(cancelOperatorInvitation, operatorInvitations.cancelOperatorInvitation),
  route(readMailedOperatorInvitation, operatorInvitations.readMailedOperatorInvitation),
  route(acceptOperatorInvitation, operatorInvitations.acceptOperatorInvitation),
  route(readFigures, figures.readFigures),
  route(readMoney, money.readMoney),
  route(countMoney, money.countMoney),
  route(listReportRows, reports.listReportRows),
  route(readReport, reports.readReport),
  route(startExport, exports.startExport),
  route(listDeskMessages, talk.listDeskMessages),
  route(sendDeskMessage, talk.sendDeskMessage),
  route(withdrawDeskMessage, talk.withdrawDeskMessage),
  route(readDeskMessages, talk.readDeskMessages),
  route(followDeskJob, talk.followDeskJob),
  route(countDeskUnread, talk.countDeskUnread),
];
