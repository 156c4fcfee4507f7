import { IconCircleCheck, IconFile, IconPlayerPlay, IconSend } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { isEnded } from '../../../contract/moves.ts';
import { type DeskJob, type File, type JobEvent, operationQuery, queryClient, useOperation } from '../../app/api.ts';
import { useAcceptedTypes } from '../../app/file-types.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { useDraft } from '../../app/session/draft.ts';
import { fieldError } from '../../ui/form/form.ts';
import { useMoveKey } from '../../ui/form/move-key.ts';
import { Panel } from '../../ui/page/page.tsx';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { UploadArea } from '../../ui/upload/upload.tsx';
import { useUploads } from '../../ui/upload/uploads.ts';
import { Textarea } from '../../ui/form/textarea.tsx';
import { forgetLease, keptLease } from './lease.ts';
import { notify } from '../../ui/page/notify.ts';
import { deskFileUrl, sendDeliverable } from './send-deliverable.ts';
import { QualitySignals, returnedWork, Submitted, unreleased } from './submitted.tsx';
import { useMoves } from './use-moves.ts';

export function Delivery({ job, events }: { job: DeskJob; events: JobEvent[] }) {
  if (job.status === 'needs_review') return <Submitted job={job} />;
  if (job.status === 'accepted' || job.status === 'running')
    return <Preparing key={job.submissions.length} job={job} events={events} />;
  if (isEnded(job.status) || job.status === 'ready_for_customer_review') return null;
  return (
    <Panel title={`Delivery ${job.revisions.used + 1}`}>
      <p className="second">Accept the job, then prepare the delivery here.</p>
    </Panel>
  );
}

function Preparing({ job, events }: { job: DeskJob; events: JobEvent[] }) {
  const { allowed, reason } = useMoves(job);
  const acceptedTypes = useAcceptedTypes();
  const returned = returnedWork(job, events);
  // A returned delivery starts with its earlier message.
  const [message, setMessage, forget] = useDraft(
    `delivery-${job.id}-${job.submissions.length}`,
    returned?.message ?? '',
  );
  const field = useRef<HTMLTextAreaElement>(null);
  useShortcut('m', 'Write the message', () => field.current?.focus());
  const [leftOut, setLeftOut] = useState<string[]>([]);
  const queue = useUploads(sendDeliverable(job.id), {
    onStored: () => void queryClient.invalidateQueries(operationQuery('readDeskJob', { path: { id: job.id } })),
  });
  // Once the job contains an upload, it is shown with the delivery's files.
  useEffect(() => {
    for (const { id, stored: uploaded } of queue.uploads)
      if (uploaded && job.files.some((file) => file.id === uploaded.id)) queue.forget(id);
  });
  const stored = unreleased(job).filter(({ id }) => !queue.uploads.some(({ stored: file }) => file?.id === id));
  const sent = queue.uploads.flatMap(({ stored: file }) => (file ? [file] : []));
  const files = [...stored, ...sent].filter(({ id }) => !leftOut.includes(id));
  return (
    <Panel title={`Delivery ${job.revisions.used + 1}`} beside={<span className="second">draft, kept here</span>} flush>
      <div className="panel-body stack">
        {returned?.note && (
          <div className="note turn" role="note">
            <strong>Returned by {returned.note.created_by.name}.</strong>{' '}
            <span className="prose">{returned.note.body}</span>
          </div>
        )}
        <UploadArea queue={queue} accept={acceptedTypes} keys="u" />
        {stored.length > 0 && (
          <ul aria-label="Files of this delivery">
            {stored.map((file) => (
              <StoredLine
                key={file.id}
                file={file}
                out={leftOut.includes(file.id)}
                onToggle={(out) =>
                  setLeftOut(out ? [...leftOut, file.id] : leftOut.filter((leftOutId) => leftOutId !== file.id))
                }
              />
            ))}
          </ul>
        )}
        <Textarea
          ref={field}
          label="Message to the customer"
          description="Sent with the files, unchanged."
          minRows={3}
          maxLength={10_000}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
      </div>
      <QualitySignals job={job} />
      <SubmitFoot
        job={job}
        message={message}
        files={files}
        waiting={queue.busy ? 'A file is still uploading.' : reason('submit')}
        startable={allowed('start')}
        onSubmitted={forget}
      />
    </Panel>
  );
}

type FootProps = {
  job: DeskJob;
  message: string;
  files: File[];
  waiting: string | null;
  startable: boolean;
  onSubmitted: () => void;
};

function SubmitFoot({ job, message, files, waiting, startable, onSubmitted }: FootProps) {
  const submit = useOperation('submitJob');
  const start = useOperation('startJob');
  const state = `${job.status}-${job.revisions.used}-${job.submissions.length}`;
  const submitKey = useMoveKey(`${state}-${message}-${files.map(({ id }) => id).join()}`);
  const startKey = useMoveKey(`start-${state}`);
  const lease = keptLease(job.id);
  const token = lease && job.holder?.lease_expires_at ? { lease_token: lease.token } : {};
  const empty = message.trim() === '' && files.length === 0;
  const reason = waiting ?? (empty ? 'Add a file, or a message for the customer.' : null);
  const run = () =>
    submit.mutate(
      {
        path: { id: job.id },
        body: {
          ...token,
          ...(message.trim() ? { message: message.trim() } : {}),
          file_ids: files.map(({ id }) => id),
        },
        idempotencyKey: submitKey,
      },
      {
        onSuccess: () => {
          onSubmitted();
          forgetLease(job.id);
          notify(job.quality_review ? 'Submitted for review.' : 'Delivered to the customer.');
        },
      },
    );
  const wrong = fieldError(submit.error, 'message');
  return (
    <div className="panel-foot">
      {(submit.error ?? start.error) && <Failure error={(submit.error ?? start.error)!} />}
      <span className="second small">
        {sayFiles(files)}
        {wrong && <span className="bad"> · The message: {wrong}</span>}
        {!job.quality_review && ' · goes to the customer at once'}
      </span>
      <span className="push row">
        {job.status === 'accepted' && (
          <ActionButton
            keys="s"
            icon={<IconPlayerPlay size={16} />}
            loading={start.isPending}
            reason={startable ? null : waiting}
            onClick={() => start.mutate({ path: { id: job.id }, body: token, idempotencyKey: startKey })}
          >
            Start work
          </ActionButton>
        )}
        {job.status === 'running' && (
          <ActionButton
            keys="mod+Enter"
            icon={<IconSend size={16} />}
            loading={submit.isPending}
            reason={reason}
            onClick={run}
          >
            {job.quality_review ? 'Submit for review' : 'Deliver to the customer'}
          </ActionButton>
        )}
      </span>
    </div>
  );
}

function sayFiles(files: File[]): string {
  if (files.length === 0) return 'No file yet';
  const bytes = sayBytes(files.reduce((sum, { size_bytes: size }) => sum + size, 0));
  return files.length === 1 ? `1 file, ${bytes}` : `${files.length} files, ${bytes}`;
}

type LineProps = { file: File; out: boolean; onToggle: (out: boolean) => void };

const StoredLine = ({ file, out, onToggle }: LineProps) => (
  <li className="deliverable">
    <span className="deliverable-face">
      {file.content_type.startsWith('image/') ? (
        <img src={deskFileUrl(file.id)} alt="" loading="lazy" />
      ) : (
        <IconFile size={20} stroke={1.4} aria-hidden />
      )}
    </span>
    <span className="upload-what">
      <a href={deskFileUrl(file.id)} download={file.file_name} className={out ? 'third' : 'ink'}>
        {file.file_name}
      </a>
      <span className="second small numbers">{sayBytes(file.size_bytes)}</span>
    </span>
    <label className="row small second">
      <input type="checkbox" checked={!out} onChange={(event) => onToggle(!event.currentTarget.checked)} /> deliver it
    </label>
    {!out && (
      <span className="status good">
        <IconCircleCheck size={14} aria-hidden /> uploaded
      </span>
    )}
  </li>
);
