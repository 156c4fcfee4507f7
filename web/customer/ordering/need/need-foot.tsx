import { ActionIcon, Box, FileButton, Flex } from '@mantine/core';
import type { ReactNode } from 'react';
import { plansFor } from '../../../../contract/pages.ts';
import { useAcceptedTypes } from '../../../app/file-types.ts';
import { useSession } from '../../../app/session/session.tsx';
import { ActionButton } from '../../../ui/form/action-button.tsx';
import { IconPaperclip, IconX } from '../../../ui/look/icons.ts';
import { Failure, failureSentence } from '../../../ui/page/page.tsx';
import { usePhone } from '../../../ui/page/use-phone.ts';
import { FileFace } from '../../../ui/thread/story-files.tsx';
import { UploadFailure } from '../../../ui/upload/upload.tsx';
import { sayWeekday } from '../../../ui/time/time.tsx';
import { Blocked } from '../../account/plan-limit.tsx';
import { planNames } from '../../account/plan-words.ts';
import { downloadUrl } from '../../jobs/job-story.ts';
import { useLasting } from '../draft/brief-box.tsx';
import { Leave } from '../draft/leave.tsx';
import type { useDraftFiles } from '../draft/use-draft-files.ts';
import type { OrderDraft, ServiceDraft } from '../draft/use-order-draft.ts';
import { useOrder } from '../draft/use-order.ts';
import { useReadiness } from '../draft/use-readiness.ts';
import { KitLine } from '../kit-line.tsx';
import { sayPrice } from '../price.tsx';
import { WaitsForPerson } from '../waiting-orders.tsx';

type FootProps = {
  draft: OrderDraft;
  files: ReturnType<typeof useDraftFiles>;
  /** Why nothing can be stored or ordered now. */
  reason: string | null;
  children?: ReactNode;
};

/** The files and the brand kit, and what can be done. */
export const NeedFoot = ({ draft, files, reason, children }: FootProps) => (
  <div className="row line-above need-foot">
    <Files files={files} reason={reason} />
    <KitLine draft={draft} />
    {children}
    <Box component="p" id="need-found" w="100%" className="small second" role="status">
      <Findings draft={draft} reason={reason}>
        Choose a service, and you see what your words become. They go along whole.
      </Findings>
    </Box>
  </div>
);

function Files({ files: { queue, stored, remove }, reason }: Pick<FootProps, 'files' | 'reason'>) {
  const accept = useAcceptedTypes();
  return (
    <ul className="row" aria-label="Files">
      {stored.map((file) => (
        <Flex key={file.id} component="li" align="center" title={file.file_name}>
          <FileFace file={file} url={downloadUrl(file.id)} />
          <Corner label={`Leave out ${file.file_name}`} onClick={() => remove(file)} />
        </Flex>
      ))}
      {queue.uploads.map(({ id, file, error }) => (
        <li key={id} className="row small">
          {file.name} {error ? <UploadFailure error={error} /> : '…'}
          <Corner label={`Leave out ${file.name}`} onClick={() => queue.remove(id)} />
        </li>
      ))}
      <li>
        <FileButton multiple accept={accept} onChange={queue.add}>
          {(props) => (
            <ActionIcon {...props} disabled={reason !== null} aria-label="Attach files">
              <IconPaperclip size={17} />
            </ActionIcon>
          )}
        </FileButton>
      </li>
    </ul>
  );
}

const Corner = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <ActionIcon size={20} aria-label={label} onClick={onClick}>
    <IconX size={13} />
  </ActionIcon>
);

type OrderProps = ServiceDraft &
  FootProps & {
    /** The list beside the words is not yet what they say. */
    isReading: boolean;
    onOpen: () => void;
    onOrdered: () => void;
  };

/** The price and the buttons. Ordering accepts what is listed, and nothing else. */
export function OrderFoot({ family, option, draft, files, reason, isReading, onOpen, onOrdered }: OrderProps) {
  const order = useOrder({ family, option, draft, accepts: draft.suggested, onOrdered });
  const waiting = files.queue.busy
    ? 'A file is still being uploaded.'
    : isReading
      ? 'Your words are being read.'
      : null;
  const ready = useReadiness({ family, option, draft }, order, waiting);
  const phone = usePhone();
  const missing = ready.isEmpty ? [] : ready.missing;
  const price = sayPrice(order.preflight);
  const orderWords = missing.length > 0 ? `Order with ${missing.length} open` : 'Order';
  const words = ready.waits ? 'Send to be confirmed' : orderWords;
  const [open, buy] = missing.length > 0 ? (['filled', 'default'] as const) : (['default', 'filled'] as const);
  return (
    <div className="row line-above need-foot">
      <Files files={files} reason={reason} />
      <KitLine draft={draft} />
      <div className="row push at-thumb">
        <Cost order={order} due={ready.due} phone={phone} />
        <ActionButton variant={open} reason={reason ?? ready.need} onClick={onOpen}>
          Open the draft
        </ActionButton>
        <ActionButton
          variant={buy}
          keys="mod+Enter"
          reason={reason ?? ready.reason}
          loading={order.isPending}
          onClick={order.run}
        >
          {phone && price && !ready.waits ? `${words} for ${price}` : words}
        </ActionButton>
      </div>
      <Box w="100%" className="stack-small">
        {ready.waits && <WaitsForPerson />}
        {ready.blocking && <WhyBlocked blocking={ready.blocking} draft={draft} service={`${family.id}.${option.id}`} />}
        {order.error && reason === null && <Failure error={order.error} />}
        <p id="need-found" className="small second" role="status">
          <Findings draft={draft} reason={reason}>
            {missing.length > 0 ? (
              <>
                <span className="turn">
                  {new Intl.ListFormat('en').format(missing)} {missing.length === 1 ? 'is' : 'are'} missing.
                </span>{' '}
                You can order without; the studio may ask, and the clock waits for your answer.
              </>
            ) : (
              (ready.need ?? 'Nothing is missing. Ordering accepts what is listed here; your words go along whole.')
            )}
          </Findings>
        </p>
      </Box>
    </div>
  );
}

type CostProps = { order: ReturnType<typeof useOrder>; due: number; phone: boolean };

function Cost({ order: { preflight }, due, phone }: CostProps) {
  const { plans } = useSession();
  if (phone) return <span className="small second">First delivery by {sayWeekday(due)}</span>;
  if (!preflight || preflight.usage.remaining === 0) return null;
  const { used, quota } = preflight.usage;
  return (
    <span className="small second">
      <strong className="ink">1 job</strong> of your {planNames(plans)}, then {used + 1} of {quota}
    </span>
  );
}

type BlockedProps = {
  blocking: Parameters<typeof Blocked>[0]['reason'];
  draft: OrderDraft;
  service: `${string}.${string}`;
};

function WhyBlocked({ blocking, draft, service }: BlockedProps) {
  const { account } = useSession();
  const plans = plansFor(service, { by: 'human', account: account.id });
  return (
    <Blocked
      reason={blocking}
      plansLink={
        <Leave draft={draft} to={(id) => (id ? `${plans}&draft=${id}` : plans)}>
          See plans
        </Leave>
      }
    />
  );
}

/** What became of the words, or why nothing does. */
function Findings({ draft, reason, children }: { draft: OrderDraft; reason: string | null; children: ReactNode }) {
  const refused = draft.refused['words'];
  const isReading = useLasting(draft.isSaving && draft.value('words') !== '');
  if (refused && refused.text === draft.value('words'))
    return <span className="bad">{failureSentence(refused.error)}</span>;
  if (reason !== null) return reason;
  if (isReading) return 'Reading…';
  if (draft.failure) return 'The service cannot be reached. Your words are kept here, and it is tried again.';
  return children;
}
