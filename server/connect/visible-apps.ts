import type { SessionCaller } from '../http/request.ts';
import type { AppsOf } from '../keys/connected-app.ts';

/** An owner sees and ends the grants of everybody in the account, an admin their own. */
export const visibleApps = ({ accountId, role, userId }: SessionCaller): AppsOf & { accountId: string } =>
  role === 'owner' ? { accountId } : { accountId, madeBy: userId };
