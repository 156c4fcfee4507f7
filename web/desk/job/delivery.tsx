import { Box, Button, Skeleton } from '@mantine/core';
import { type ComponentProps, type ReactNode, useRef } from 'react';
import { deliveryFiles } from '../../../contract/files/file-types.ts';
import { isEnded } from '../../../contract/moves.ts';
import type { DeskJob, JobEvent } from '../../app/api.ts';
import { useAcceptedTypes } from '../../app/file-types.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { InsertField } from '../../ui/form/insert-field.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { FileCard } from '../../ui/preview/preview.tsx';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { Time } from '../../ui/time/time.tsx';
import { UploadArea } from '../../ui/upload/upload.tsx';
import { ReviewWays } from '../review/review-ways.tsx';
import { DeliveryFiles } from './delivery-files.tsx';
import { deliveryTitle } from './done-by.ts';
import { deskFileUrl } from './send-deliverable.ts';
import { type Delivery, submittedFiles } from './use-delivery.ts';
import { useMacros } from './use-macros.tsx';

type Props = { job: DeskJob; delivery: Delivery };

export function DeliveryPanel({ job, events, delivery }: Props & { events: JobEvent[] }) {
  if (job.status === 'needs_review') return <Submitted job={job} events={events} />;
  if (isEnded(job.status) || job.status === 'ready_for_customer_review') return null;
  if (!delivery.draft.loaded) return <Skeleton className="late" height={240} role="progressbar" aria-label="Loading" />;
  if (delivery.mine) return <Preparing job={job} delivery={delivery} />;
  return <NotYours job={job} delivery={delivery} />;
}

const titleOf = (job: DeskJob) => `Delivery ${job.revisions.used + 1}`;

/** Only the holder prepares the delivery; the others see how far it is. */
function NotYours({ job, delivery }: Props) {
  const { draft, files } = delivery;
  const started = draft.savedAt !== null;
  return (
    <Panel title={titleOf(job)} beside={started && <DraftHead job={job} delivery={delivery} />}>
      <div className="stack-small">
        <p className="second">
          {job.holder
            ? `${job.holder.name} prepares it. Take the job over to go on with it.`
            : 'Accept or take the job, then prepare the delivery here.'}
        </p>
        {started && draft.message && <p className="prose quote">{draft.message}</p>}
        {started && files.length > 0 && (
          <p className="small second">{files.map(({ file_name: name }) => name).join(', ')}</p>
        )}
      </div>
    </Panel>
  );
}

function Preparing({ job, delivery }: Props) {
  const { draft, queue, tooMany, returned, files, others } = delivery;
  const acceptedTypes = useAcceptedTypes();
  const macros = useMacros(job);
  const field = useRef<HTMLTextAreaElement>(null);
  useShortcut('d', 'Write the message of the delivery', () => field.current?.focus());
  return (
    <Panel title={titleOf(job)} beside={<DraftHead job={job} delivery={delivery} />} flush>
      <div className="panel-body stack">
        {returned?.note && (
          <div className="note turn" role="note">
            <strong>Returned by {returned.note.created_by.name}.</strong>{' '}
            <span className="prose">{returned.note.body}</span>
          </div>
        )}
        {draft.overtaken && <Overtaken draft={draft} />}
        <UploadArea queue={queue} accept={acceptedTypes} keys="u">
          {tooMany > 0 && (
            <p className="bad small" role="alert">
              A delivery takes {deliveryFiles} files; {tooMany} {tooMany === 1 ? 'was' : 'were'} left out.
            </p>
          )}
        </UploadArea>
        <DeliveryFiles files={files} others={others} onChange={(fileIds) => draft.change({ fileIds })} />
        <InsertField
          fieldRef={field}
          label="Message to the customer"
          description="Sent with the files, unchanged."
          minRows={2}
          maxLength={10_000}
          value={draft.message}
          onWrite={(message) => draft.change({ message })}
          inserts={macros}
        />
      </div>
      <QualitySignals job={job} />
    </Panel>
  );
}

const Head = ({ children, ...ways }: ComponentProps<typeof ReviewWays> & { children: ReactNode }) => (
  <>
    <span className="second">{children}</span>
    <ReviewWays {...ways} />
  </>
);

const DraftHead = ({ job, delivery: { draft, files } }: Props) => (
  <Head job={job} files={files} round={job.revisions.used} newest>
    <SavedAt draft={draft} />
  </Head>
);

function SavedAt({ draft: { state, savedAt, savedBy } }: Pick<Delivery, 'draft'>) {
  if (state === 'saving') return 'draft, being saved';
  if (state === 'failed') return 'draft, kept in this browser until it can be saved';
  if (!savedAt) return 'nothing prepared yet';
  return (
    <>
      draft of {savedBy?.name}, kept on the server <Time at={savedAt} />
    </>
  );
}

const Overtaken = ({ draft }: Pick<Delivery, 'draft'>) => (
  <div className="note turn stack-small" role="alert">
    <span>
      <strong>{draft.overtaken?.created_by?.name} has saved this draft meanwhile.</strong> What you see here is yours,
      and not saved yet.
    </span>
    <span className="row">
      <Button size="xs" variant="default" onClick={draft.useTheirs}>
        Use theirs
      </Button>
      <Button size="xs" variant="default" onClick={draft.useMine}>
        Save mine instead
      </Button>
    </span>
  </div>
);

type SentProps = { job: DeskJob; events: JobEvent[] };

function Submitted({ job, events }: SentProps) {
  const files = submittedFiles(job);
  const last = job.submissions.at(-1);
  return (
    <Panel
      title={deliveryTitle(job, events, job.revisions.used)}
      beside={
        <Head job={job} files={files} round={job.revisions.used} newest>
          {last && (
            <>
              submitted <Time at={last.created_at} />
            </>
          )}
        </Head>
      }
      flush
    >
      <div className="panel-body stack">
        {last?.message && (
          <div>
            <span className="second small">Message to the customer</span>
            <p className="prose">{last.message}</p>
          </div>
        )}
        <SmallFiles files={files} className="file-grid" />
        {!last?.message && files.length === 0 && <p className="second">Nothing was submitted.</p>}
      </div>
      <QualitySignals job={job} open />
    </Panel>
  );
}

function QualitySignals({ job, open = false }: { job: DeskJob; open?: boolean }) {
  const { qualitySignals } = useServiceNames();
  const signals = qualitySignals(job.service_family);
  if (signals.length === 0) return null;
  return (
    <details className="panel-body" style={{ borderTop: '1px solid var(--line)' }} open={open}>
      <summary className="second small">What it is checked against</summary>
      <Box component="ul" mt={8} pl={18} className="second" style={{ listStyle: 'disc' }}>
        {signals.map((signal) => (
          <li key={signal}>{signal}</li>
        ))}
      </Box>
    </details>
  );
}

export const Released = ({ job, events }: SentProps) =>
  job.deliveries.toReversed().map(({ round, message, file_ids: ids, released_at: at }) => {
    const files = ids.flatMap((id) => job.files.find((file) => file.id === id) ?? []);
    return (
      <Panel
        key={round}
        title={deliveryTitle(job, events, round, at)}
        beside={
          <Head job={job} files={files} round={round} newest={round === job.revisions.used}>
            with the customer since <Time at={at} as="moment" />
          </Head>
        }
      >
        <div className="stack">
          {message && <p className="prose">{message}</p>}
          <SmallFiles files={files} />
        </div>
      </Panel>
    );
  });

type FilesProps = { files: (ComponentProps<typeof FileCard>['file'] & { id: string })[]; className?: string };

/** Nothing without a file. */
export const SmallFiles = ({ files, className = 'small-files' }: FilesProps) =>
  files.length > 0 && (
    <div className={`tiles pairs ${className}`}>
      {files.map((file) => (
        <FileCard key={file.id} file={file} url={deskFileUrl(file.id)} />
      ))}
    </div>
  );
