import type { Usage } from '../generated/types.gen.ts';
import { argument, type Command, exitCodes, type Input, type Io, UsageError } from './command.ts';
import { showPlans } from './login.ts';
import { showQuestions } from './messages.ts';
import { showComments } from './comments.ts';
import { optionalLines } from './optional-flags.ts';
import { connect } from './profile.ts';
import { inCommands } from './words.ts';
import { bold, confirm, print, printJson, printTable, printMessage } from './terminal.ts';

export const jobs: Command = {
  name: 'jobs',
  summary: 'list jobs, newest first',
  options: {
    status: { value: 'STATUS', multiple: true, description: 'only with this status; repeat for more' },
    family: { value: 'ID', description: 'only of this service family' },
    reference: { value: 'TEXT', description: 'only with exactly this reference' },
    limit: { value: 'N', description: 'at most so many; default 25' },
  },
  examples: ['atelier jobs --status ready_for_customer_review', 'atelier jobs --json --limit 100'],
  async run(input, io) {
    const limit = Number(input.text('limit') ?? 25);
    if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit must be a whole number from 1.');
    const atelier = await connect(input.connection);
    const [status, family, reference] = [input.texts('status'), input.text('family'), input.text('reference')];
    const rows: string[][] = [];
    let left = limit;
    const query = {
      limit: Math.min(limit, 100),
      ...(status.length > 0 ? { status: status as never } : {}),
      ...(family === undefined ? {} : { service_family: family }),
      ...(reference === undefined ? {} : { reference }),
    };
    for await (const job of atelier.eachJob(query)) {
      if (input.json) printJson(io, job);
      else rows.push([job.id, job.status, job.created_at.slice(0, 16).replace('T', ' '), job.customer_title]);
      if (--left === 0) break;
    }
    if (rows.length > 0) printTable(io, rows);
    else if (!input.json) printMessage(io, 'No jobs. Create one: atelier create --help');
  },
};

export const job: Command = {
  name: 'job',
  args: '<job>',
  summary: 'show a job: deadlines, rounds of revision, files, deliveries with their messages, comments, and events',
  examples: ['atelier job job_01…', 'atelier job job_01… --json'],
  async run(input, io) {
    const path = { id: argument(input, 0, 'job id') };
    const atelier = await connect(input.connection);
    const read = await atelier.readJob({ path });
    if (input.json) return printJson(io, read);
    const { job, events } = read;
    print(io, `${bold(io, job.status)}${job.imported_at ? ", imported" : ""}  ${job.customer_title}`);
    for (const line of optionalLines(job)) print(io, line);
    if (job.waiting_on !== null) await showQuestions(atelier, job.id, (line) => print(io, line));
    print(io, `allowed: ${job.allowed_actions.join(', ') || 'nothing now'}`);
    if (job.due_at && job.due_round === job.revisions.used && !job.review_due_at) print(io, `due: ${job.due_at}`);
    if (job.review_due_at) print(io, `review until: ${job.review_due_at}; then the work counts as approved`);
    print(io, `rounds ${job.revisions.used} of ${job.revisions.included}`);
    if (job.reason) print(io, `reason: ${job.reason.code}: ${job.reason.message}`);
    for (const file of job.files) print(io, `file ${file.id}  ${file.uploaded_by}  ${file.purpose}  ${file.status}  ${file.file_name}`);
    for (const { round, message, file_ids, released_at } of job.deliveries) {
      print(io, `delivery ${round}  ${released_at}  ${file_ids.length === 1 ? '1 file' : `${file_ids.length} files`}`);
      if (message !== null) print(io, message.replace(/^/gm, '  '));
    }
    await showComments(io, atelier, read);
    const reasons = new Map(job.due_date_changes.map(({ event_id, reason }) => [event_id, reason]));
    for (const { id, created_at, type, message, data } of events) {
      print(io, `${created_at}  ${type}  ${message}${type === 'job.due_date_changed' && data.due_at ? ` Now ${data.due_at}.` : ''}`);
      const reason = reasons.get(id);
      if (reason !== undefined) print(io, reason.replace(/^/gm, '  '));
    }
    return exitCodes.done;
  },
};

export const yes = { description: 'do not ask' };

export const cancel: Command = {
  name: 'cancel',
  args: '<job>',
  summary: 'cancel a job that is not delivered yet',
  options: { yes },
  examples: ['atelier cancel job_01… --yes'],
  async run(input, io) {
    const path = { id: argument(input, 0, 'job id') };
    const atelier = await connect(input.connection);
    await confirm(io, 'Cancel the job?', input.flag('yes'));
    const { job, next_action } = await atelier.cancelJob({ path });
    done(io, input, job, next_action);
  },
};

export function done(io: Io, { json }: Input, job: { id: string; status: string }, next: string): void {
  if (json) return printJson(io, { job, next_action: next });
  print(io, job.status);
  printMessage(io, inCommands(next));
}

export const usage: Command = {
  name: 'usage',
  summary: 'show what the plans allow, what is used and what remains',
  options: {
    from: { value: 'TIME', description: 'beginning of a range, ISO 8601 with a zone' },
    to: { value: 'TIME', description: 'end of the range' },
  },
  examples: ['atelier usage', 'atelier usage --from 2026-11-01T00:00Z --to 2026-12-01T00:00Z --json'],
  async run(input, io) {
    const [from, to] = [input.text('from'), input.text('to')];
    const query = { ...(from === undefined ? {} : { period_start: from }), ...(to === undefined ? {} : { period_end: to }) };
    const atelier = await connect(input.connection);
    const { usage } = await atelier.readUsage({ query });
    if (input.json) return printJson(io, usage);
    showUsage(io, usage);
    await showPlans(io, atelier);
    return exitCodes.done;
  },
};

/** After a rotation two keys have the same name; their prefixes differ. */
const keyWords = ({ name, prefix, status }: Usage['summaries']['by_api_key'][number]): string =>
  `${name} (${prefix}${status === 'active' ? '' : `, ${status}`})`;

/** On one line each, whatever the studio wrote. */
const adjustmentRow = ({ quantity, plan_code, reason, created_at }: Usage['quota_adjustments'][number]) => [
  created_at.slice(0, 10),
  plan_code,
  `${Math.abs(quantity)} ${quantity < 0 ? 'given back' : 'charged'}`,
  reason.split(/\s+/).join(' '),
];

function showUsage(io: Io, { period, range, totals, summaries, quota_adjustments }: Usage): void {
  const { start, end } = range ?? period;
  const share = (of: { quantity: number; quota: number; remaining: number }) => [`${of.quantity}`, `of ${of.quota}`, `${of.remaining} left`];
  print(io, bold(io, `${start?.slice(0, 10) ?? '…'} to ${end?.slice(0, 10) ?? '…'}, in ${totals.unit}s`));
  printTable(io, [
    ['all', '', ...share(totals)],
    ...summaries.by_entitlement.map((plan) => ['plan', plan.key, ...share(plan)]),
    ...summaries.by_service_family.map(({ key, quantity }) => ['family', key, `${quantity}`]),
    ...summaries.by_api_key.map((key) => ['key', keyWords(key), `${key.quantity}`]),
  ]);
  if (quota_adjustments.length === 0) return;
  print(io, bold(io, 'Adjusted by the studio'));
  printTable(io, quota_adjustments.map(adjustmentRow));
}
