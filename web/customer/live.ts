import type { AccountEvent } from '../app/api.ts';
import type { Feed } from '../app/live/live.ts';

const ofLibrary = ['listLibrary', 'countLibrary', 'listFiles'];
const ofJobs = ['listJobs', 'countJobs', 'readUsage', 'listEntitlements', ...ofLibrary];
/** Reads that a comment changes. */
const ofComments = ['listComments', 'listReviewLinks', 'lookAtReview'];
/** Reads of a page about one job. */
const ofJob = ['readJob', ...ofComments, 'listMessages'];
const ofQuota = ['readUsage', 'listEntitlements', 'preflightJob'];
const ofNotifications = ['listNotifications', 'countNotifications'];
const ofPlans = ['listEntitlements', 'readMe', 'readSession', 'preflightJob'];

/** What shows whether the account is suspended. */
const ofAccount = ['readSession', 'readMe', 'preflightJob', ...ofJobs, ...ofJob];

export const accountFeed: Feed<AccountEvent> = {
  url: '/api/v1/events/stream',
  makesOld({ type, job }, { operation, path }) {
    if (operation === 'readOrder' || operation === 'listOrders') return type.startsWith('order.');
    if (type === 'order.declined') return ofNotifications.includes(operation);
    if (type.startsWith('job.') || type === 'order.confirmed')
      return (
        ofJobs.includes(operation) ||
        ofNotifications.includes(operation) ||
        (ofJob.includes(operation) && path?.id === job?.id) ||
        (type === 'job.message_added' && operation === 'countUnread')
      );
    if (type === 'entitlement.changed') return ofPlans.includes(operation) || ofNotifications.includes(operation);
    if (type === 'quota.adjusted') return ofQuota.includes(operation);
    if (type === 'file.uploaded') return ofLibrary.includes(operation);
    if (type === 'account.suspended' || type === 'account.reopened') return ofAccount.includes(operation);
    if (type.startsWith('api_key.'))
      return ['listApiKeys', 'listConnectedApps', 'listMyConnectedApps'].includes(operation);
    return (
      type.startsWith('webhook_endpoint.') &&
      (operation.startsWith('listWebhook') || ofNotifications.includes(operation))
    );
  },
  mayBeOld: ({ operation }) => [...ofJobs, ...ofJob, ...ofNotifications, 'countUnread'].includes(operation),
  named: {
    comments: ({ operation }) => [...ofComments, ...ofNotifications].includes(operation),
    messages: ({ operation }) => ['listMessages', 'countUnread', ...ofNotifications].includes(operation),
  },
};
