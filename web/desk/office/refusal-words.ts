/** Why the customer's plan or its owner allows no order, in words for the studio. */
export const refusalWords: Record<string, string> = {
  account_suspended: 'The account is suspended.',
  studio_orders_off: 'Their owner has not allowed it: Settings, Account, Orders by the studio.',
  entitlement_required: 'They have no plan for people.',
  quota_exceeded: 'The quota of their period is used up.',
  concurrency_limit_exceeded: 'They have as many open jobs as their plan allows.',
};
