/**
 * What the audit log names besides the events of an account. Plain data: the pages say each of them in words. An internal
 * one is the studio's own affair, and no account reads it.
 */
export const auditActions = {
  'user.created': {},
  'user.deleted': {},
  'user.email_verified': {},
  'user.password_reset': {},
  'user.password_changed': {},
  'user.renamed': {},
  'user.email_changed': {},
  'user.email_change_undone': {},
  'user.second_factor_added': {},
  'user.second_factor_removed': {},
  'session.created': {},
  'session.ended': {},
  'session.account_switched': {},
  'invitation.created': {},
  'invitation.canceled': {},
  'invitation.accepted': {},
  'invitation.declined': {},
  'account.opened': {},
  'account.renamed': {},
  'member.left': {},
  'member.role_changed': {},
  'member.removed': {},
  'file.upload_started': {},
  'file.uploaded': {},
  'file.upload_expired': {},
  'file.deleted': {},
  'deliverable.upload_started': { internal: true },
  'deliverable.uploaded': { internal: true },
  'intake.opened': {},
  'intake.message_added': {},
  'intake.confirmed': {},
  'intake.closed': {},
  'checkout.started': {},
  'provider_event.processed': {},
  'provider_event.ignored': { internal: true },
  'provider_event.reviewed': { internal: true },
  'prices.verified': { internal: true },
  'note.added': { internal: true },
  'job.claimed': { internal: true },
  'job.held': { internal: true },
  'worker_key.created': { internal: true },
  'worker_key.revoked': { internal: true },
  'operator.added': { internal: true },
  'operator.removed': { internal: true },
} as const satisfies Record<string, { internal?: true }>;
export type AuditAction = keyof typeof auditActions;

const names = Object.keys(auditActions) as AuditAction[];
export const internalActions = names.filter((action) => 'internal' in auditActions[action]);
