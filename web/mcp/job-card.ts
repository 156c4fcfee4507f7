import type { Job } from '../../client/generated/types.gen.ts';
import { statusWords } from '../ui/job/words.ts';
import { element, words } from './dom.ts';

const tones: Partial<Record<Job['status'], string>> = {
  ready_for_customer_review: 'turn',
  completed: 'good',
  rejected: 'bad',
};

export const head = (title: string, tone: string, status: string): HTMLElement =>
  element('header', { class: 'head row between' }, [
    element('h1', { dir: 'auto' }, [title]),
    element('span', { class: `status ${tone}` }, [status]),
  ]);

export const jobHead = ({ customer_title, status }: Job): HTMLElement =>
  head(customer_title, tones[status] ?? 'second', statusWords[status]);

export const facts = (list: (readonly [name: string, value: string])[]): HTMLElement =>
  element(
    'dl',
    { class: 'facts row' },
    list.map(([name, value]) => element('div', {}, [element('dt', {}, [name]), element('dd', {}, [value])])),
  );

/** A job that waits for no review: where it stands, and what comes next. */
export function jobCard(job: Job, sayTime: (iso: string) => string): (HTMLElement | null)[] {
  const { due_at, reason } = job;
  return [
    jobHead(job),
    element('p', { role: 'status' }, [sayState(job)]),
    reason && words(reason.message, 'said'),
    due_at === null ? null : facts([['Next delivery planned', sayTime(due_at)]]),
  ];
}

const states: Partial<Record<Job['status'], string>> = {
  completed: 'The delivery is approved, and the job is completed.',
  rejected: 'The studio rejected the job.',
  canceled: 'The job is canceled.',
  ready_for_customer_review: 'The delivery is ready for you.',
};

function sayState({ status, waiting_on, revisions }: Job): string {
  if (waiting_on === 'customer') return 'The studio has a question. Your assistant can read and answer it.';
  const working = revisions.used > 0 ? 'The studio has your request for changes.' : 'The studio has the job.';
  return states[status] ?? working;
}
