import { Button, Group } from '@mantine/core';
import { IconEyeOff, IconLink } from '../../ui/look/icons.ts';
import { useState } from 'react';
import type { ReviewComment } from '../../app/api.ts';
import { ConfirmOperation } from '../../app/confirm-operation.tsx';
import { useOrders, useSession } from '../../app/session/session.tsx';
import { part } from '../../ui/page/part.tsx';
import { roundWords } from '../../ui/job/words.ts';
import { Failure } from '../../ui/page/page.tsx';
import { useReview } from '../../ui/review/use-review.ts';
import { saveFrom } from '../../ui/review/view-file.ts';
import { comparing, Viewer, zipWays } from '../../ui/review/viewer.tsx';
import { Time } from '../../ui/time/time.tsx';
import { archiveUrl } from '../jobs/job-story.ts';
import { filesOf } from './delivered-files.ts';
import { type ModeProps, useBlocked } from './mode.ts';
import { ReviewMoves } from './review-moves.tsx';
import { useComments } from './use-comments.ts';

const ReviewLinks = part(() => import('./review-links.tsx'), 'ReviewLinks');

/** One delivery, with the comments of its round. */
export function LookMode(props: ModeProps) {
  const { job, delivery, before, fileId, onFile, onClose, onCompare } = props;
  const { round, released_at } = delivery;
  const [removing, setRemoving] = useState<string | null>(null);
  const [hasLinks, setLinks] = useState(false);
  const { comments, stored, error, writing, setWriting, keep, retry } = useComments(job.id, round);
  const { view } = useSession();
  const orders = useOrders();
  const blocked = useBlocked(props);
  const canComment = blocked === null;
  const files = filesOf(job, delivery);
  const review = useReview({ files, fileId, onFile, comments, canComment, writing, setWriting, onClose });
  const moves = { job, round, count: stored.length, blocked, onDecided: onClose };
  const removed = comments.find(({ id }) => id === removing);
  const ways = [
    ...(before ? [{ ...comparing, phoneLabel: 'Compare', onGo: () => onCompare(before.round, fileId) }] : []),
    ...zipWays(files, () => saveFrom(archiveUrl(job.id, round))),
    ...(orders ? [{ label: 'Link', phoneLabel: 'Links', icon: IconLink, onGo: () => setLinks(true) }] : []),
  ];
  return (
    <>
      <Viewer
        review={review}
        title={job.customer_title}
        subtitle={
          <>
            Delivery {round + 1}
            <span className="wide-only">
              {' · '}
              <Time at={released_at} />
            </span>
          </>
        }
        onClose={onClose}
        ways={ways}
        before={before ? filesOf(job, before) : []}
        actions={!view && <ReviewMoves {...moves} hasKeys={review.isReading} />}
        phoneActions={
          <>
            <span className="small second">{roundWords(job.revisions)}</span>
            {!view && <ReviewMoves {...moves} isShort />}
          </>
        }
        notice={<Newer {...props} />}
        state={<Sent comments={stored} canSend={canComment} />}
        readers={blocked ?? 'The studio reads these when you ask for changes, all at once.'}
        failure={error && <Failure error={error} />}
        onKeep={keep}
        onRemove={setRemoving}
        onRetry={retry}
      />
      {removed && (
        <ConfirmOperation
          title={`Delete comment ${removed.number}?`}
          confirm="Delete"
          destructive
          operation="deleteComment"
          input={{ path: { id: job.id, comment_id: removed.id } }}
          onClose={() => setRemoving(null)}
        >
          {removed.isGuest ? `${removed.author} and everybody else` : 'Everybody'} who reviews this delivery stops
          seeing it. It cannot be brought back.
        </ConfirmOperation>
      )}
      {hasLinks && <ReviewLinks jobId={job.id} onClose={() => setLinks(false)} />}
    </>
  );
}

/** A bar above the file if it is not of the newest delivery. */
function Newer({ delivery, newest, hasCome, onNewest }: ModeProps) {
  if (delivery.round === newest.round) return null;
  const number = newest.round + 1;
  return (
    <Group className="line-below" gap="8px 12px" px={16} py={8} bg="var(--turn-soft)" c="var(--turn)" role="status">
      {hasCome
        ? `Delivery ${number} has come.`
        : `This is delivery ${delivery.round + 1}. The newest is delivery ${number}.`}
      <Button variant="default" size="xs" onClick={onNewest}>
        Look at it
      </Button>
    </Group>
  );
}

/** Whether the studio has the comments. */
function Sent({ comments, canSend }: { comments: ReviewComment[]; canSend: boolean }) {
  if (comments.length > 0 && comments.every(({ sent_at }) => sent_at !== null)) return 'sent to the studio';
  if (!canSend && !comments.some(({ never_sent }) => never_sent)) return null;
  return (
    <>
      <IconEyeOff size={15} aria-hidden /> {canSend ? 'not sent yet' : 'never sent'}
    </>
  );
}
