import { Box } from '@mantine/core';
import { useState } from 'react';
import { type DeskJob, type ReviewComment, useOperation } from '../../app/api.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { IconEye, IconRotate } from '../../ui/look/icons.ts';
import { Failure } from '../../ui/page/page.tsx';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { Time } from '../../ui/time/time.tsx';
import { useOpenReview } from '../review/address.ts';
import { leaseOf } from './lease.ts';
import { ToDoItem } from './to-do-item.tsx';
import type { ToDo } from './use-to-do.ts';

const takesTicks: DeskJob['status'][] = ['accepted', 'running', 'needs_review'];

/** The comments of the round, to be ticked one after the other. */
export function ToDoList({ job, toDo }: { job: DeskJob; toDo: ToDo }) {
  const { comments } = toDo;
  const [chosen, setChosen] = useState<string | null>(null);
  const changeable = takesTicks.includes(job.status);
  const firstOpen = comments.find(({ done_at: at }) => at === null);
  const selected = comments.find(({ id }) => id === chosen) ?? firstOpen ?? comments[0];
  const at = comments.findIndex(({ id }) => id === selected?.id);
  const select = (step: number) => () => {
    const next = comments[Math.min(Math.max(at + step, 0), comments.length - 1)];
    if (!next) return;
    setChosen(next.id);
    document.getElementById(next.id)?.scrollIntoView({ block: 'nearest' });
  };
  const { notes, setNote, changing, error, ...does } = useTicks(job, comments, setChosen);
  const review = useOpenReview();
  const show = ({ id, file_id }: ReviewComment) => {
    setChosen(id);
    review(file_id, { comment: id });
  };
  const toggle = (comment: ReviewComment) => (comment.done_at === null ? does.tick(comment) : does.untick(comment));
  useShortcut('j', 'The next comment', comments.length > 1 ? select(1) : null);
  useShortcut('k', 'The comment before', comments.length > 1 ? select(-1) : null);
  useShortcut('x', 'Tick the comment, or undo it', changeable && selected ? () => toggle(selected) : null);
  const request = job.revision_requests.at(-1);
  return (
    <section className="panel" aria-label="Changes asked for">
      <ToDoHead job={job} toDo={toDo} onReview={() => selected && show(selected)} />
      {request?.customer_instructions && (
        <Box component="p" className="prose" p="12px 16px" style={{ borderBottom: '1px solid var(--line)' }}>
          “{request.customer_instructions}”
        </Box>
      )}
      <ol className="lined">
        {comments.map((comment) => (
          <ToDoItem
            key={comment.id}
            comment={comment}
            file={job.files.find(({ id }) => id === comment.file_id)}
            selected={comment.id === selected?.id}
            changeable={changeable}
            note={notes[comment.id] ?? ''}
            onNote={(note) => setNote(comment.id, note)}
            onSelect={() => setChosen(comment.id)}
            onShow={() => show(comment)}
            onToggle={() => toggle(comment)}
            changing={comment.id === changing && comment.done_at !== null}
            onChange={() => does.change(comment)}
            onSave={() => does.save(comment)}
          />
        ))}
      </ol>
      {error && (
        <div className="panel-body">
          <Failure error={error} />
        </div>
      )}
    </section>
  );
}

function ToDoHead({ job, toDo: { comments, open }, onReview }: { job: DeskJob; toDo: ToDo; onReview: () => void }) {
  const request = job.revision_requests.at(-1);
  const all = comments.length;
  const done = all - open;
  return (
    <div className="panel-head">
      <h2 className="icon-line turn">
        <IconRotate size={15} aria-hidden /> Changes asked for
      </h2>
      <span className="second">
        round {job.revisions.used} of {job.revisions.included}
        {request && (
          <>
            {' · '}
            <Time at={request.created_at} as="moment" />
          </>
        )}
      </span>
      <span className="push row">
        {all <= 12 && (
          <span className="row" style={{ gap: 4 }} aria-hidden>
            {Array.from({ length: all }, (_, step) => (
              <Box key={step} w={22} h={4} bdrs={2} bg={step < done ? 'var(--accent)' : 'var(--line)'} />
            ))}
          </span>
        )}
        <span className="numbers">
          {done} of {all} done
        </span>
        <ActionButton
          keys="v"
          variant="subtle"
          color="gray"
          size="compact-sm"
          icon={<IconEye size={15} />}
          onClick={onReview}
        >
          Open in review
        </ActionButton>
      </span>
    </div>
  );
}

/** Marks comments as done, each with a note that can be changed until the work is submitted. */
function useTicks(job: DeskJob, comments: ReviewComment[], onChoose: (id: string) => void) {
  const complete = useOperation('completeComment');
  const reopen = useOperation('reopenComment');
  const [notes, setNotes] = useState<Record<string, string>>({});
  const [changing, setChanging] = useState<string | null>(null);
  const setNote = (id: string, note: string) => setNotes({ ...notes, [id]: note });
  const completeWithNote = (id: string, onSuccess: () => void) => {
    const note = notes[id]?.trim();
    const body = { ...leaseOf(job), ...(note && { note }) };
    complete.mutate({ path: { id: job.id, comment_id: id }, body }, { onSuccess });
  };
  const open = (comment: ReviewComment) => {
    onChoose(comment.id);
    setNote(comment.id, comment.done_note ?? '');
  };
  return {
    notes,
    setNote,
    changing,
    error: complete.error ?? reopen.error,
    tick({ id }: ReviewComment) {
      const at = comments.findIndex((comment) => comment.id === id);
      const following = comments.slice(at + 1).find((comment) => comment.done_at === null);
      completeWithNote(id, () => onChoose(following?.id ?? id));
    },
    untick(comment: ReviewComment) {
      open(comment);
      setChanging(null);
      reopen.mutate({ path: { id: job.id, comment_id: comment.id }, body: leaseOf(job) });
    },
    change(comment: ReviewComment) {
      open(comment);
      setChanging(comment.id);
    },
    save: ({ id }: ReviewComment) => completeWithNote(id, () => setChanging(null)),
  };
}
