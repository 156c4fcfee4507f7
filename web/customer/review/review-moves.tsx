import { Box, Button, Flex } from '@mantine/core';
import { IconCircleCheck, IconRotate } from '../../ui/look/icons.ts';
import { useState } from 'react';
import { type AtelierError, type Job, operationQuery, queryClient, useOperation } from '../../app/api.ts';
import { useDraft } from '../../app/session/draft.ts';
import { useReadOnlyReason } from '../../app/session/session.tsx';
import { Confirm, Dialog, DialogButtons, FormDialog } from '../../ui/dialog/dialog.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { Textarea } from '../../ui/form/fields.tsx';
import { fieldError, useMoveKey } from '../../ui/form/form.ts';
import { sayDaysKept } from '../../ui/job/retention.ts';
import { counted, roundWords } from '../../ui/job/words.ts';
import { notify } from '../../ui/page/page.tsx';
import { whyNoRevision } from '../../ui/job/why-no-revision.ts';

type Move = 'approve' | 'revision';

type DecisionProps = {
  job: Job;
  /** The delivery that is decided on: the service refuses if there is a newer one. */
  round: number;
  /** Comments that the studio would get, and those that are settled. */
  count: number;
  settled: number;
  unsaved: UnsavedComments;
  onClose: () => void;
  /** Where the comments can be seen, if not on this page. */
  onLook?: () => void;
  onDecided?: () => void;
};

type Props = Omit<DecisionProps, 'onClose' | 'onLook'> & {
  /** Why nothing can be decided now, such as a newer delivery. */
  blocked: string | null;
  hasKeys?: boolean;
  /** On a phone: without icons and rounds. */
  isShort?: boolean;
};

/** Approve, or ask for the changes. With comments, asking is the primary button. */
export function ReviewMoves(props: Props) {
  const { job, count, blocked, hasKeys, isShort, onDecided } = props;
  const [move, setMove] = useState<Move | null>(null);
  const { used, included } = job.revisions;
  const readOnly = useReadOnlyReason();
  const whyNot = blocked ?? readOnly ?? whyNoRevision(job);
  const asks = count > 0 && whyNot === null;
  const round = used < included && !isShort ? ` · round ${used + 1} of ${included}` : '';
  return (
    <Flex gap={8} mt={isShort ? 6 : 0} align="center">
      {!isShort && <Box w={1} h={22} bg="var(--line)" />}
      <ActionButton
        variant={asks ? 'default' : 'filled'}
        icon={!isShort && <IconCircleCheck size={16} />}
        reason={blocked}
        onClick={() => setMove('approve')}
        keys={hasKeys ? 'a' : undefined}
      >
        Approve
      </ActionButton>
      <ActionButton
        variant={asks ? 'filled' : 'default'}
        reason={whyNot}
        onClick={() => setMove('revision')}
        icon={!asks && !isShort && <IconRotate size={16} />}
        keys={hasKeys ? 'r' : undefined}
      >
        {count > 0 ? `Ask for ${counted(count, 'change')}${round}` : 'Ask for changes'}
      </ActionButton>
      {move && <Decision {...props} move={move} onClose={() => setMove(null)} onDecided={onDecided} />}
    </Flex>
  );
}

/** Asks about comments that are not saved, then for the decision. */
export function Decision({ move, ...props }: DecisionProps & { move: Move }) {
  const [goesOn, setGoesOn] = useState(false);
  if (props.unsaved.count > 0 && !goesOn) return <NotSaved {...props} onGoOn={() => setGoesOn(true)} />;
  return move === 'approve' ? <Approve {...props} /> : <Ask {...props} />;
}

/** What is said of settled comments where something is decided. */
const saySettled = (settled: number) =>
  settled > 0 &&
  `${counted(settled, 'settled comment')} ${settled === 1 ? 'stays' : 'stay'} with your account, with the replies. `;

function Approve({ job, round, count, settled, onClose, onLook, onDecided }: DecisionProps) {
  const approve = useOperation('approveJob');
  const key = useMoveKey(`${job.status_changed_at}-${round}`);
  const them = count === 1 ? 'it' : 'them';
  const run = () =>
    approve.mutate(
      { path: { id: job.id }, query: { round }, idempotencyKey: key },
      {
        onSuccess: () => (onClose(), onDecided?.(), notify('Approved. The job is completed.')),
        onError: whenChanged({ job, round, onClose }, 'Nothing was approved.'),
      },
    );
  return (
    <Confirm
      opened
      onClose={onClose}
      title={
        count > 0 ? `${counted(count, 'comment')} ${count === 1 ? 'has' : 'have'} not been sent` : 'Approve this work?'
      }
      confirm={count > 0 ? `Approve without ${them}` : 'Approve'}
      back={count > 0 ? `Look at ${them}` : 'Back'}
      onBack={count > 0 ? onLook : undefined}
      pending={approve.isPending}
      error={approve.error}
      onConfirm={run}
    >
      {count > 0 && 'The studio never sees comments that are not sent, nor their replies. '}
      {saySettled(settled)}
      The job is then completed, and you cannot ask for more changes. {sayDaysKept(job)}
    </Confirm>
  );
}

function Ask({ job, round, count, settled, onClose, onDecided }: DecisionProps) {
  const revise = useOperation('requestRevision');
  const [words, setWords, forget] = useDraft(`revision-${job.id}-${job.revisions.used}`, '');
  const text = words.trim();
  const key = useMoveKey(`${job.status_changed_at}-${round}-${text}-${count}`);
  const run = () =>
    revise.mutate(
      { path: { id: job.id }, body: { round, customer_instructions: text || undefined }, idempotencyKey: key },
      {
        onSuccess: () => (forget(), onClose(), onDecided?.(), notify('The studio has your changes.')),
        onError: whenChanged({ job, round, onClose }, 'Nothing was sent.'),
      },
    );
  return (
    <FormDialog
      onClose={onClose}
      title={count > 0 ? `Ask for ${counted(count, 'change')}?` : 'Ask for changes'}
      size={560}
      submit={count > 0 ? `Ask for ${counted(count, 'change')}` : 'Send the changes'}
      onSubmit={run}
      action={revise}
      fields={['customer_instructions']}
      disabled={count === 0 && text === ''}
    >
      {count > 0 && (
        <p className="second">
          {count === 1
            ? 'The studio then reads this comment with its replies.'
            : `The studio then reads these ${count} comments with their replies, all at once.`}{' '}
          They cannot be changed afterwards. {saySettled(settled)}
        </p>
      )}
      <Textarea
        label={count > 0 ? 'Anything about the whole?' : 'What should change?'}
        description={
          count > 0
            ? 'Optional. The studio reads it above the comments.'
            : 'As concretely as you can: what, where, and how you will know that it is right.'
        }
        minRows={count > 0 ? 2 : 5}
        required={count === 0}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        error={fieldError(revise.error, 'customer_instructions')}
        data-autofocus
      />
      <p className="small second">{roundWords(job.revisions)} The job goes to the front of the queue.</p>
    </FormDialog>
  );
}

type UnsavedComments = { count: number; isSaving: boolean; save: () => void };

type NotSavedProps = { unsaved: UnsavedComments; onClose: () => void; onGoOn: () => void };

/** Before anything is decided: what only this browser has is in no decision. */
function NotSaved({ unsaved: { count, isSaving, save }, onClose, onGoOn }: NotSavedProps) {
  const them = count === 1 ? 'it' : 'them';
  return (
    <Dialog opened onClose={onClose} title={`${counted(count, 'comment')} ${count === 1 ? 'is' : 'are'} not saved`}>
      <div className="stack">
        <p className="second">
          Only this browser has {them}: neither your colleagues nor the studio read {them}. Try again, or go on without{' '}
          {them}.
        </p>
        <DialogButtons onBack={onClose} onClick={save} loading={isSaving} data-autofocus>
          Try again
        </DialogButtons>
        <Button variant="subtle" onClick={onGoOn}>
          Go on without {them}
        </Button>
      </div>
    </Dialog>
  );
}

type Seen = { job: Job; round: number; onClose: () => void };

/** Of a refusal because the job has moved on: says what happened, and that this page decided nothing. */
const whenChanged =
  (seen: Seen, nothing: string) =>
  ({ status }: AtelierError): void => {
    // 400: a job that has ended is not approved.
    if (status === 409 || status === 400) void tellMoved(seen, nothing);
  };

async function tellMoved({ job, round, onClose }: Seen, nothing: string): Promise<void> {
  const query = operationQuery('readJob', { path: { id: job.id } });
  await queryClient.invalidateQueries({ queryKey: query.queryKey });
  const answer = await queryClient.fetchQuery(query).catch(() => null);
  if (!answer || !hasMoved(answer.job, round)) return;
  onClose();
  notify(`${sayMoved(answer.job, round)} ${nothing}`);
}

const hasMoved = ({ status, deliveries }: Job, round: number): boolean =>
  status !== 'ready_for_customer_review' || (deliveries.at(-1)?.round ?? 0) > round;

/** What became of a review of this round. */
export function sayMoved({ status, deliveries }: Job, round: number): string {
  const newest = deliveries.at(-1)?.round ?? 0;
  if (newest > round) return `Delivery ${newest + 1} has come meanwhile.`;
  if (status === 'completed') return 'The work was approved meanwhile.';
  if (status === 'canceled') return 'The job was canceled meanwhile.';
  return 'Changes were asked for meanwhile.';
}
