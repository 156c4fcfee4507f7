import '../ui/look/tokens.css';
import '../ui/look/base.css';
import '../ui/look/classes.css';
import '../ui/review/pins.css';
import './mcp.css';
import type { Job } from '../../client/generated/types.gen.ts';
import { whyNoRevision } from '../ui/job/why-no-revision.ts';
import { sayDuration } from '../ui/time/duration.ts';
import { deliveredFile } from './delivered-file.ts';
import { button, element, field, paragraph, problem, question, show, textArea, words } from './dom.ts';
import { connect, type ToolAnswer } from './host.ts';
import { facts, jobCard, jobHead } from './job-card.ts';
import { filesOf, openReview, type Review, revisionOf } from './review-state.ts';

/** The answer of `get_job`, `approve_job` and `request_revision`. */
type JobAnswer = ToolAnswer<{ job: Job }>;

let review: Review | null = null;
/** Without a click it reads again only once: a host may ask its person about each call. */
let hasReadAgain = false;

const host = await connect({ onResult: (answer: JobAnswer) => open(answer) });

/** What the customer has written stays, unless there is another delivery. */
function open({ body, error }: JobAnswer, before: Review | null = null): void {
  if (error) return show(problem(error.message));
  const { job } = body;
  const delivery = job.deliveries.at(-1);
  review = job.status === 'ready_for_customer_review' && delivery ? openReview(job, delivery) : null;
  if (before && review?.delivery.round === before.delivery.round) {
    const { notes, words, stage } = before;
    Object.assign(review, { notes, words, stage });
  }
  if (review) draw();
  else show(...jobCard(job, host.sayTime));
}

function draw(): void {
  if (!review) return;
  const { job, delivery, stage } = review;
  const files = filesOf(review);
  const isPending = files.some(({ poster_status }) => poster_status === 'pending');
  if (isPending) setTimeout(readOnce, 4_000);
  show(
    jobHead(job),
    delivery.message !== null && words(delivery.message, 'said'),
    element('div', { class: stage === 'asking' ? 'files asking' : 'files' }, files.map(shownFile)),
    isPending && button('Look again', 'plain', () => void readAgain(), { id: 'look' }),
    facts([
      ['Rounds of changes left', `${job.revisions.included - job.revisions.used} of ${job.revisions.included}`],
      ...(job.review_due_at ? ([['Approved automatically', deadline(job.review_due_at)]] as const) : []),
    ]),
    host.can.serverTools ? decision() : paragraph('Tell your assistant what you decide.', 'small second'),
  );
}

function deadline(at: string): string {
  const left = Date.parse(at) - Date.now();
  return left > 0 ? `${host.sayTime(at)}, in ${sayDuration(left)}` : host.sayTime(at);
}

function shownFile(file: Job['files'][number]): HTMLElement {
  const { notes, stage } = review!;
  return deliveredFile(file, {
    notes,
    isAsking: stage === 'asking',
    onNote(box) {
      notes.push({ fileId: file.id, box, text: '' });
      draw();
      document.querySelector<HTMLElement>(`#note-${notes.length}`)?.focus();
    },
    onMove(note, box) {
      note.box = box;
      draw();
    },
    onRemove(note) {
      notes.splice(notes.indexOf(note), 1);
      draw();
    },
    onOpen: host.can.openLinks && host.can.serverTools ? () => void openFile(file.id) : null,
    onBroken: readOnce,
  });
}

async function openFile(id: string): Promise<void> {
  const { body, error } = await host.call<{ download: { url: string } }>('get_download', { file_id: id });
  if (body) host.openLink(body.download.url);
  else fail(error.message);
}

function readOnce(): void {
  if (!hasReadAgain && review?.stage === 'looking') void readAgain();
}

async function readAgain(): Promise<void> {
  if (!review || review.isBusy || !host.can.serverTools) return;
  hasReadAgain = true;
  const before = review;
  const answer = await host.call<{ job: Job }>('get_job', { job_id: before.job.id });
  if (review !== before || before.isBusy) return;
  if (answer.error) return fail(answer.error.message);
  open(answer, before);
}

function fail(text: string): void {
  if (!review) return;
  Object.assign(review, { problem: text, isBusy: false });
  draw();
}

/** The last part of the page: what the customer decides. */
function decision(): HTMLElement {
  const shown = review!;
  const { job, stage, notes, isBusy, problem: fault } = shown;
  const section = { isBusy, fault };
  const onBack = () => toStage('looking');
  if (stage === 'approving')
    return question(
      { ...section, id: 'approve', title: 'Approve this delivery?' },
      [
        paragraph('The job ends, and no more changes can be requested.'),
        (notes.length > 0 || shown.words.trim() !== '') && paragraph('The changes that you wrote here are not sent.'),
      ],
      { label: 'Approve and end the job', busyLabel: 'Approving…', onClick: approve, onBack },
    );
  if (stage === 'asking')
    return question(
      { ...section, id: 'request', title: 'Request changes' },
      [
        paragraph('Click a place in a picture and say what to change there.', 'small second'),
        field(
          notes.length > 0 ? 'Anything else (optional)' : 'What to change',
          textArea(
            { value: shown.words, rows: 3, most: 20_000, attributes: { id: 'words' } },
            (text) => (shown.words = text),
          ),
        ),
        paragraph('Comments that others of your account left on this delivery are sent as well.', 'small second'),
      ],
      { label: 'Send the request', busyLabel: 'Sending…', onClick: requestChanges, onBack },
    );
  const reason = whyNoRevision(job);
  return element('div', { class: 'stack-small' }, [
    element('div', { class: 'row' }, [
      button('Approve', 'primary', () => toStage('approving'), { id: 'to-approve' }),
      button('Request changes', 'plain', () => toStage('asking'), { id: 'to-ask', disabled: reason !== null }),
    ]),
    reason !== null && paragraph(reason, 'small second'),
    problem(fault),
  ]);
}

function toStage(stage: Review['stage']): void {
  Object.assign(review!, { stage, problem: null });
  draw();
  if (stage === 'asking') document.querySelector<HTMLElement>('#words')?.focus({ preventScroll: true });
}

function approve(): void {
  const { job, delivery } = review!;
  const said = `The customer approved delivery ${delivery.round} of ${job.id} in the review. The job is completed.`;
  void decide('approve_job', { job_id: job.id, round: delivery.round }, said);
}

function requestChanges(): void {
  const revision = revisionOf(review!);
  if (typeof revision === 'string') return fail(revision);
  const said = `The customer requested changes of ${review!.job.id} in the review. The studio has them.`;
  void decide('request_revision', revision.args, said);
}

/** The service refuses what has been decided elsewhere, and says so. */
async function decide(tool: string, args: Record<string, unknown>, said: string): Promise<void> {
  Object.assign(review!, { isBusy: true, problem: null });
  draw();
  const { body, error } = await host.call<{ job: Job }>(tool, args);
  if (error) return fail(error.message);
  review = null;
  show(...jobCard(body.job, host.sayTime));
  host.tell(said);
}
