import { IconSend } from '../../ui/look/icons.ts';
import { useState } from 'react';
import type { DeskJob } from '../../app/api.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { holdBack } from './held-back.ts';
import { keptLease } from './lease.ts';
import type { Delivery } from './use-delivery.ts';
import type { ToDo } from './use-to-do.ts';
import { useMoves } from './use-moves.ts';

type Props = { job: DeskJob; delivery: Delivery; toDo: ToDo; onMoved: () => void };

/** Asks first where something may be forgotten. Then the page holds the submission back for some seconds. */
export function SubmitMove({ job, delivery, toDo, onMoved }: Props) {
  const { me, reason } = useMoves(job);
  const [asks, setAsks] = useState(false);
  const doubts = doubtsAbout(delivery, toDo);
  const unticked = sayUnticked(toDo);
  const words = job.quality_review ? 'Submit for review' : 'Deliver to the customer';
  const submit = () => {
    setAsks(false);
    holdBack({
      jobId: job.id,
      by: me,
      title: job.customer_title,
      to: job.quality_review ? 'review' : (job.account?.name ?? 'the customer'),
      delivers: !job.quality_review,
      move: { operation: 'submitJob', body: bodyOf(job, delivery) },
    });
    onMoved();
  };
  return (
    <>
      <ActionButton
        keys="mod+Enter"
        icon={<IconSend size={16} />}
        reason={reason('submit') ?? delivery.reason}
        onClick={doubts.length > 0 ? () => setAsks(true) : submit}
      >
        {words}
      </ActionButton>
      <span className="second small wide-only">
        {unticked ? `${unticked}; you are asked first.` : sayFiles(delivery)}
      </span>
      <FormDialog
        opened={asks}
        onClose={() => setAsks(false)}
        title="Is it complete?"
        submit={words}
        focusSubmit
        onSubmit={submit}
      >
        {doubts.map((doubt) => (
          <p key={doubt}>{doubt}</p>
        ))}
      </FormDialog>
    </>
  );
}

function doubtsAbout({ files }: Delivery, toDo: ToDo): string[] {
  const unticked = sayUnticked(toDo);
  return [
    ...(files.length === 0 ? ['No file is attached: the customer gets the message alone.'] : []),
    ...(unticked ? [`${unticked}. The customer reads them as not done.`] : []),
  ];
}

const sayUnticked = ({ open, comments }: ToDo): string | null =>
  open === 0 ? null : `${open} of ${comments.length} changes ${open === 1 ? 'is' : 'are'} not ticked`;

function bodyOf(job: DeskJob, { draft, files }: Delivery) {
  const lease = keptLease(job.id);
  const message = draft.message.trim();
  return {
    ...(lease && job.holder?.lease_expires_at ? { lease_token: lease.token } : {}),
    ...(message ? { message } : {}),
    file_ids: files.map(({ id }) => id),
  };
}

function sayFiles({ files }: Delivery): string {
  if (files.length === 0) return 'No file yet.';
  const bytes = sayBytes(files.reduce((sum, { size_bytes: size }) => sum + size, 0));
  return files.length === 1 ? `1 file, ${bytes}.` : `${files.length} files, ${bytes}.`;
}
