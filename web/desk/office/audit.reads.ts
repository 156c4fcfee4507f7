import type { AuditEntry } from '../../app/api.ts';
import { type Place, readPages } from '../../app/reads.ts';
import { boundOfDay } from '../../ui/time/day.ts';

export const auditReads = ({ search }: Place) => ({
  entries: readPages('listAudit', { query: { ...auditFilter(search), limit: 50 } }),
});

export function auditFilter({ account, actor, action, subject, by, request, noise, ...days }: Place['search']) {
  const [from, to] = [boundOfDay(days.from), boundOfDay(days.to, 1)];
  return {
    ...(noise ? {} : { provider_noise: false }),
    ...(account ? { account_id: account } : {}),
    ...(actor ? { actor: actor as AuditEntry['actor'] } : {}),
    ...(action ? { action: [action as AuditEntry['action']] } : {}),
    ...(subject ? { subject } : {}),
    ...(by ? { created_by: by } : {}),
    ...(request ? { request_id: request } : {}),
    ...(from ? { created_after: from } : {}),
    ...(to ? { created_before: to } : {}),
  };
}
