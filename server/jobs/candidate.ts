/** A checked draft with all that its job needs; ids are made by the service, times by the database. */
export type Candidate = {
  account_id: string;
  job_id: string;
  event_id: string;
  ledger_id: string;
  api_key_id: string | null;
  request_id: string;
  idempotency_key: string | null;
  fingerprint: string;
  /** What the caller will be answered, and again on a replay. */
  answer: unknown;
  service_family: string;
  service_type: string;
  customer_title: string;
  customer_instructions: string;
  source: 'api' | 'dashboard' | 'intake';
  quality_review: boolean;
  auto_approval_hours: number;
  revisions_included: number;
  turnaround_hours: number;
};
