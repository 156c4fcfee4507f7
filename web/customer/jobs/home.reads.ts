import { read } from '../../app/reads.ts';
import { countsRead } from '../frame.reads.ts';

export const homeReads = () => ({
  counts: countsRead,
  yours: read('listJobs', { query: { status: ['ready_for_customer_review'], limit: 8 } }),
  waiting: read('listJobs', { query: { waiting_on: 'customer', limit: 8 } }),
  withStudio: read('listJobs', { query: { status: ['queued', 'accepted', 'running', 'needs_review'], limit: 8 } }),
  plans: read('listEntitlements'),
  invitations: read('listMyInvitations'),
});
