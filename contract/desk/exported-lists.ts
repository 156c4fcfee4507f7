/** The lists of the desk that can be saved whole, and what that needs. Plain data, read by the pages too. */
export const exportedLists = {
  jobs: 'read_records',
  accounts: 'read_records',
  payments: 'read_records',
  money: 'read_records',
  operators: 'read_records',
  workers: 'read_records',
  audit: 'read_records',
  reports: 'read_figures',
} as const;
export type ExportedList = keyof typeof exportedLists;
