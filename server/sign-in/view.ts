import type { View } from '../http/request.ts';
import { showId } from '../lib/id.ts';

export const showView = ({ accountId, accountName, suspendedSince, until }: View) => ({
  account: {
    id: showId('acct', accountId),
    name: accountName,
    suspended_since: suspendedSince?.toISOString() ?? null,
  },
  viewed_until: until.toISOString(),
});
