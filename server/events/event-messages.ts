import type { AccountEventType } from '../../contract/events.ts';

/** Visible to customers: no worker, operator or note, and nothing about a delivery before its release. */
export const eventMessages: Record<AccountEventType, string> = {
  'job.created': 'The job was created and is queued.',
  'job.accepted': 'The studio accepted the job.',
  'job.started': 'Work on the job started.',
  'job.submitted': 'The work was submitted.',
  'job.returned': 'The studio returned the work for changes before delivery.',
  'job.ready_for_customer_review': 'The work is ready for your review.',
  'job.revision_requested': 'A revision was requested.',
  'job.approved': 'The work was approved.',
  'job.auto_approved': 'The time for review ended, and the work was approved automatically.',
  'job.completed': 'The job is completed.',
  'job.canceled': 'The job was canceled.',
  'job.rejected': 'The studio rejected the job.',
  'job.requeued': 'The job went back to the queue.',
  'job.file_attached': 'A file was attached.',
  'job.deliverable_added': 'A file was delivered.',
  'entitlement.changed': 'A plan of the account changed.',
  'api_key.created': 'An API key was created.',
  'api_key.revoked': 'An API key was revoked.',
  'webhook_endpoint.disabled': 'A webhook endpoint was disabled.',
  'webhook_endpoint.test': 'A test of a webhook endpoint.',
  'feed.restarted': 'The log was restored from a backup: list your jobs again, then read on from here.',
};
