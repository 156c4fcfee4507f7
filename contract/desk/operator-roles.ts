/** What operators may do, by their role. Plain data, used by the server, the API document and the desk. */
export const operatorRoles = ['maker', 'reviewer', 'lead', 'owner'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

export const operatorRights = {
  /** Take, work on and submit jobs; ask the customer, write notes and macros. */
  work: ['maker', 'reviewer', 'lead', 'owner'],
  /** Pass work to the customer, or return it. */
  review: ['reviewer', 'lead', 'owner'],
  reject: ['reviewer', 'lead', 'owner'],
  /** Hand jobs over, take or release those of others, move due dates, and move many jobs at once. */
  direct: ['lead', 'owner'],
  read_accounts: ['maker', 'reviewer', 'lead', 'owner'],
  /** Write the studio's notes on an account, view it as its customer, invite and remove imported people. */
  note_accounts: ['lead', 'owner'],
  /** Order jobs for accounts whose owner allows it. */
  order_for_accounts: ['lead', 'owner'],
  /** Suspend and reopen accounts, and adjust their quota. */
  manage_accounts: ['owner'],
  read_figures: ['maker', 'reviewer', 'lead', 'owner'],
  /** Read workers, payments and the audit log, and export lists. */
  read_records: ['lead', 'owner'],
  /** Make and revoke worker keys, and review payments. */
  manage_records: ['owner'],
  /** Change operators, the catalog, the face of the studio and its apps. */
  manage_studio: ['owner'],
} as const satisfies Record<string, readonly OperatorRole[]>;
export type OperatorRight = keyof typeof operatorRights;

export const rolesWith = (right: OperatorRight): readonly OperatorRole[] => operatorRights[right];

export const may = (role: OperatorRole, right: OperatorRight): boolean => rolesWith(right).includes(role);

/** "an operator", "a lead or owner", "an owner". */
export function holdersOf(right: OperatorRight): string {
  const roles = rolesWith(right);
  if (roles.length === operatorRoles.length) return 'an operator';
  const last = roles.at(-1) ?? '';
  if (roles.length === 1) return `an ${last}`;
  return `a ${roles.slice(0, -1).join(', ')} or ${last}`;
}
