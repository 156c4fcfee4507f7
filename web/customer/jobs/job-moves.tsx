import { Button } from '@mantine/core';
import { IconCircleCheck, IconRotate } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { type CustomerAction, isEnded } from '../../../contract/moves.ts';
import type { Job } from '../../app/api.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { useLater } from '../../ui/page/use-later.ts';
import { actionWords, roundWords } from '../../ui/job/words.ts';
import { part } from '../../ui/page/part.tsx';

const JobDialogs = part(() => import('./job-dialogs.tsx'), 'JobDialogs');

type Props = { job: Job; submitted: boolean };

/** Offers exactly the moves that the service allows. */
export function JobMoves({ job, submitted }: Props) {
  const [dialog, setDialog] = useState<CustomerAction | null>(null);
  const withDialogs = useLater(dialog !== null);
  const yours = job.status === 'ready_for_customer_review';
  if (isEnded(job.status)) return null;
  return (
    <div className={yours ? 'moves sticky' : 'moves'}>
      <Panel title={yours ? 'Your turn' : 'The studio has it'}>
        <div className="stack-small">
          {yours && (
            <>
              <ActionButton
                keys="a"
                icon={<IconCircleCheck size={16} />}
                onClick={() => setDialog('approve')}
                fullWidth
              >
                {actionWords.approve}
              </ActionButton>
              <ActionButton
                keys="r"
                variant="default"
                icon={<IconRotate size={16} />}
                reason={whyNoRevision(job)}
                onClick={() => setDialog('revision')}
                fullWidth
              >
                {actionWords.revision}
              </ActionButton>
              <p className="small second">Approving ends the job. {roundWords(job.revisions)}</p>
            </>
          )}
          {job.allowed_actions.includes('cancel') && (
            <>
              <p className="small second">You are notified here and by mail when there is something to review.</p>
              <Button variant="subtle" color="bad" onClick={() => setDialog('cancel')}>
                {actionWords.cancel}
              </Button>
            </>
          )}
        </div>
      </Panel>
      {withDialogs && (
        <Suspense fallback={null}>
          <JobDialogs job={job} submitted={submitted} dialog={dialog} onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </div>
  );
}

function whyNoRevision({ revisions: { used, included }, allowed_actions }: Job): string | null {
  if (allowed_actions.includes('revision')) return null;
  if (included === 0) return 'This service includes no rounds of changes.';
  if (used >= included) return `All ${included} rounds of changes are used.`;
  return 'Asking for changes needs an active plan.';
}
