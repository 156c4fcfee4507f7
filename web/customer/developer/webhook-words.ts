import type { EventType, WebhookDelivery, WebhookEndpoint } from '../../app/api.ts';

/** Exhaustive: a new event type does not compile without words. */
export const accountEventWords: Record<EventType, string> = {
  'job.created': 'Job ordered',
  'job.accepted': 'Job accepted',
  'job.started': 'Work started',
  'job.submitted': 'Work in review at the studio',
  'job.returned': 'Work returned by the review',
  'job.ready_for_customer_review': 'Ready for your review',
  'job.revision_requested': 'Changes requested',
  'job.approved': 'Work approved',
  'job.auto_approved': 'Work approved automatically',
  'job.completed': 'Job completed',
  'job.canceled': 'Job canceled',
  'job.rejected': 'Job rejected',
  'job.requeued': 'Job back in the queue',
  'job.file_attached': 'File attached',
  'job.deliverable_added': 'File delivered',
  'job.message_added': 'Message sent',
  'job.question_asked': 'Question asked',
  'job.question_answered': 'Question answered',
  'job.due_date_changed': 'Due date changed',
  'job.updated': 'Job details changed',
  'order.confirmed': 'Order confirmed',
  'order.declined': 'Order declined',
  'entitlement.changed': 'Plan changed',
  'api_key.created': 'API key created',
  'api_key.revoked': 'API key revoked',
  'webhook_endpoint.disabled': 'Webhook endpoint disabled',
  'webhook_endpoint.test': 'Test',
  'quota.adjusted': 'Quota adjusted',
  'file.uploaded': 'File sent by an upload page',
  'account.suspended': 'Account suspended',
  'account.reopened': 'Account reopened',
  'feed.restarted': 'List your jobs again',
};

export const deliveryWords: Record<WebhookDelivery['status'], string> = {
  pending: 'On its way',
  retrying: 'Tried again soon',
  delivered: 'Delivered',
  dead: 'Given up',
};

export const disabledWords: Record<NonNullable<WebhookEndpoint['disabled_reason']>, string> = {
  by_person: 'Paused',
  failing: 'Paused after five days of failures',
  gone: 'Paused, because it answered that it is gone',
  creator_left: 'Paused, because its creator no longer manages the account',
};

const errorWords: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection broke off',
  EAI_AGAIN: 'the host name is unknown',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'no answer in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not signed by a trusted authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by a trusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate chain is incomplete',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** Unknown network errors keep their own name, which can be looked up. */
export const sayError = (error: string | null): string =>
  error === null ? 'no answer' : Object.hasOwn(errorWords, error) ? (errorWords[error] ?? error) : error;

export const sayEvents = ({ types }: WebhookEndpoint): string => {
  if (types === null) return 'all events';
  const [first] = types;
  return types.length === 1 && first ? accountEventWords[first] : `${types.length} kinds of events`;
};
