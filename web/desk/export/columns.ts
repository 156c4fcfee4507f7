import type { ExportedList } from '../../../contract/desk/exported-lists.ts';
import type {
  AuditEntry,
  DeskAccountListItem,
  DeskJobListItem,
  Operator,
  Payment,
  ProviderEvent,
  ReportRow,
  WorkerKey,
} from '../../app/api.ts';
import { shownNames } from '../../ui/job/optional-facts.tsx';
import { deskStatusWords } from '../../ui/job/words.ts';
import { auditWords } from '../office/audit-words.ts';
import { operatorRoleWords } from '../../ui/job/operator-role-words.ts';
import { standingWords } from '../standing-words.ts';
import type { Cell } from './csv.ts';

/** Head and value of each column. */
type Columns<Row> = Record<string, (row: Row) => Cell>;

/** `wanted_by` becomes "Wanted by". */
const headOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

/** Fields as they are, each under its own name. */
const fields = <Row extends Partial<Record<Name, Cell>>, Name extends string>(...names: Name[]): Columns<Row> =>
  Object.fromEntries(names.map((name) => [headOf(name), (row: Row) => row[name]]));

const jobs: Columns<DeskJobListItem> = {
  Id: ({ id }) => id,
  Title: ({ customer_title }) => customer_title,
  Customer: ({ account }) => account.name,
  'Customer id': ({ account }) => account.id,
  'Standing of the customer': ({ account: { standing } }) => standing && standingWords[standing.state],
  'Service family': ({ service_family }) => service_family,
  Service: ({ service_type }) => service_type,
  Status: ({ status }) => deskStatusWords[status],
  Holder: ({ holder }) => holder?.name,
  ...fields('parked', 'overdue'),
  'Waiting for the customer since': ({ waiting_since }) => waiting_since,
  Due: ({ due_at }) => due_at,
  ...fields(...shownNames),
  'Rounds used': ({ revisions }) => revisions.used,
  'Rounds included': ({ revisions }) => revisions.included,
  Plan: ({ plan_code }) => plan_code,
  'Ordered by': ({ created_by }) => created_by.name,
  'Reason of the rejection': ({ reason }) => reason?.code,
  Ordered: ({ created_at }) => created_at,
  'Status since': ({ status_changed_at }) => status_changed_at,
  Changed: ({ updated_at }) => updated_at,
};

const accounts: Columns<DeskAccountListItem> = {
  ...fields('id', 'name'),
  Owner: ({ owner_email }) => owner_email,
  Plans: ({ plan_codes }) => plan_codes.join(' '),
  'Plans overdue': ({ past_due }) => past_due.join(' '),
  'Plans paused': ({ paused }) => paused.join(' '),
  Standing: ({ standing }) => standing && standingWords[standing.state],
  'Standing since': ({ standing }) => standing?.since,
  'Orders until': ({ standing }) => standing?.access_until,
  'Open jobs': ({ active_jobs }) => active_jobs,
  'Suspended since': ({ suspension }) => suspension?.since,
  Created: ({ created_at }) => created_at,
};

const payments: Columns<ProviderEvent> = {
  ...fields('id', 'type', 'outcome', 'reason', 'account_id', 'customer', 'subscription'),
  'Live mode': ({ livemode }) => livemode,
  Reviews: ({ reviews }) => reviews.length,
  Created: ({ created_at }) => created_at,
  Received: ({ received_at }) => received_at,
};

/** Amounts as the provider counts them, so that no spreadsheet rounds them. */
const money: Columns<Payment> = {
  ...fields('kind', 'id'),
  Account: ({ account }) => account?.name,
  'Account id': ({ account }) => account?.id,
  Plan: ({ plan_code }) => plan_code,
  'Amount in the smallest unit': ({ amount }) => amount,
  Currency: ({ currency }) => currency,
  'Period from': ({ period }) => period?.start,
  'Period until': ({ period }) => period?.end,
  Time: ({ happened_at }) => happened_at,
};

const operators: Columns<Operator> = {
  ...fields('id', 'name', 'email'),
  Role: ({ role }) => operatorRoleWords[role].name,
  'Takes next': ({ service_families }) => service_families?.join(' ') ?? 'all',
  'Jobs held': ({ held_jobs }) => held_jobs,
  'Jobs at most': ({ held_limit }) => held_limit,
  'Second factor': ({ second_factor }) => second_factor,
};

const workers: Columns<WorkerKey> = {
  ...fields('id', 'name'),
  'Key begins with': ({ prefix }) => prefix,
  Services: ({ service_families }) => service_families?.join(' ') ?? 'all',
  Status: ({ status }) => status,
  'Made by': ({ created_by }) => created_by.name,
  Made: ({ created_at }) => created_at,
  'Last used': ({ last_used_at }) => last_used_at,
  Expires: ({ expires_at }) => expires_at,
  Revoked: ({ revoked_at }) => revoked_at,
};

const audit: Columns<AuditEntry> = {
  Time: ({ created_at }) => created_at,
  Kind: ({ actor }) => actor,
  Who: ({ created_by }) => created_by?.name,
  'Who, id': ({ created_by }) => created_by?.id,
  What: ({ action }) => auditWords[action],
  Action: ({ action }) => action,
  On: ({ subject }) => subject,
  'On, name': ({ subject_name }) => subject_name,
  'Account id': ({ account_id }) => account_id,
  Details: ({ details }) => JSON.stringify(details),
  Request: ({ request_id }) => request_id,
  Network: ({ address }) => address,
};

const reports: Columns<ReportRow> = {
  Id: ({ key }) => key,
  Name: ({ name }) => name,
  'Jobs ended': ({ jobs: ended }) => ended,
  ...fields('completed', 'rejected', 'canceled'),
  'Deliveries with a due date': ({ due_deliveries }) => due_deliveries,
  'Share on time': ({ on_time_share }) => on_time_share,
  'Turnaround, median, seconds': ({ turnaround_p50_seconds }) => turnaround_p50_seconds,
  'Turnaround, 9 of 10 within, seconds': ({ turnaround_p90_seconds }) => turnaround_p90_seconds,
  'Rounds of changes': ({ revision_rounds }) => revision_rounds,
};

export const columnsOf = { jobs, accounts, payments, money, operators, workers, audit, reports } as Record<
  ExportedList,
  Columns<unknown>
>;
