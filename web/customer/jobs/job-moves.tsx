import { Box, Button } from '@mantine/core';
import { IconCircleCheck, IconClock, IconEye, IconRotate } from '../../ui/look/icons.ts';
import { useState } from 'react';
import { isEnded } from '../../../contract/moves.ts';
import type { Job, JobEvent } from '../../app/api.ts';
import { useOrders, useReadOnlyReason, useSession } from '../../app/session/session.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { notify, Panel } from '../../ui/page/page.tsx';
import { useLater } from '../../ui/page/use-later.ts';
import { usePhone } from '../../ui/page/use-phone.ts';
import { actionWords, counted, roundWords } from '../../ui/job/words.ts';
import type { JobDialog } from './job-dialogs.tsx';
import { part } from '../../ui/page/part.tsx';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { Time } from '../../ui/time/time.tsx';
import { whyNoRevision } from '../../ui/job/why-no-revision.ts';

const JobDialogs = part(() => import('./job-dialogs.tsx'), 'JobDialogs');

/** Offers exactly the moves that the service allows. */
export function JobMoves({ job, events, unsent }: { job: Job; events: JobEvent[]; unsent: number }) {
  const [dialog, setDialog] = useState<JobDialog | null>(null);
  const open = (action: JobDialog['action']) => setDialog({ action, round: job.deliveries.at(-1)?.round ?? 0 });
  const withDialogs = useLater(dialog !== null);
  return (
    <>
      {!isEnded(job.status) && <Moves job={job} unsent={unsent} onOpen={open} />}
      {withDialogs && (
        <JobDialogs job={job} events={events} unsent={unsent} dialog={dialog} onClose={() => setDialog(null)} />
      )}
    </>
  );
}

type MovesProps = { job: Job; unsent: number; onOpen: (action: JobDialog['action']) => void };

function Moves({ job, unsent, onOpen }: MovesProps) {
  const phone = usePhone();
  const orders = useOrders();
  const yours = job.status === 'ready_for_customer_review';
  const review = yours && <ReviewMoves job={job} unsent={unsent} phone={phone} onOpen={onOpen} />;
  return (
    <div className={yours ? 'at-thumb' : 'moves'}>
      {yours && phone ? (
        <div className="row">{review}</div>
      ) : (
        <Panel title={yours ? 'Your turn' : job.waiting_on ? 'The studio waits for you' : 'The studio has it'}>
          <div className="stack-small">
            {review}
            {job.allowed_actions.includes('cancel') && (
              <>
                <p className="small second">
                  {job.waiting_on
                    ? 'It goes on with your answer. You are reminded by mail after a day, three days and a week.'
                    : 'You are notified here and by mail when there is something to review, or a question.'}
                </p>
                {orders && (
                  <Button variant="subtle" color="bad" onClick={() => onOpen('cancel')}>
                    {actionWords.cancel}
                  </Button>
                )}
              </>
            )}
          </div>
        </Panel>
      )}
    </div>
  );
}

/** The review is the way in, wherever there is something to look at. */
function ReviewMoves({ job, unsent, phone, onOpen }: MovesProps & { phone: boolean }) {
  const [, setAddress] = useAddress<'review'>();
  const { view } = useSession();
  const readOnly = useReadOnlyReason();
  const first = job.deliveries.at(-1)?.file_ids[0];
  const reason = readOnly ?? whyNoRevision(job);
  // Where there is something to look at, changes are asked for in the review; the key still asks at once.
  const ask = () => (reason === null ? onOpen('revision') : notify(reason));
  useShortcut('r', actionWords.revision, first !== undefined && !view ? ask : null);
  return (
    <>
      {first !== undefined && (
        <ActionButton
          keys="v"
          icon={<IconEye size={16} />}
          onClick={() => setAddress({ review: first }, { replace: false })}
          fullWidth
          style={phone ? { order: 1 } : {}}
        >
          Review
        </ActionButton>
      )}
      {!view && (
        <>
          <ActionButton
            keys="a"
            variant={first === undefined ? 'filled' : 'default'}
            icon={<IconCircleCheck size={16} />}
            onClick={() => onOpen('approve')}
            fullWidth
          >
            {actionWords.approve}
          </ActionButton>
          {first === undefined && (
            <ActionButton
              keys="r"
              variant="default"
              icon={<IconRotate size={16} />}
              reason={reason}
              onClick={() => onOpen('revision')}
              fullWidth
            >
              {actionWords.revision}
            </ActionButton>
          )}
        </>
      )}
      <p className="small second wide-only">
        {first === undefined ? 'Approving ends the job.' : 'Point at what should change, or approve.'}{' '}
        {unsent > 0 && `${counted(unsent, 'comment')} ${unsent === 1 ? 'waits' : 'wait'} to be sent.`}{' '}
        {roundWords(job.revisions)}
      </p>
      {job.review_due_at && (
        <Box
          component="p"
          className="icon-line small second"
          display="flex"
          style={{ alignItems: 'flex-start', ...(phone ? { order: -1, flexBasis: '100%' } : {}) }}
        >
          <IconClock size={16} style={{ marginTop: 2 }} aria-hidden />
          <span>
            Approved by itself on <Time at={job.review_due_at} as="moment" />
            <span className="wide-only">, if you do nothing.</span>
          </span>
        </Box>
      )}
    </>
  );
}
