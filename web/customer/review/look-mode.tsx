import { ActionIcon, Box, Button, Flex, Menu } from '@mantine/core';
import { IconColumns2, IconDots, IconEyeOff, IconLink } from '../../ui/look/icons.ts';
import { Suspense, useState } from 'react';
import { useSession } from '../../app/session/session.tsx';
import { part } from '../../ui/page/part.tsx';
import { roundWords } from '../../ui/job/words.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { useReview } from '../../ui/review/use-review.ts';
import { Viewer } from '../../ui/review/viewer.tsx';
import { Time } from '../../ui/time/time.tsx';
import { filesOf } from './delivered-files.ts';
import { type ModeProps, whyBlocked } from './mode.ts';
import { Newer } from './newer.tsx';
import { RemoveComment } from './remove-comment.tsx';
import { ReviewMoves } from './review-moves.tsx';
import { useComments } from './use-comments.ts';

const ReviewLinks = part(() => import('./review-links.tsx'), 'ReviewLinks');

/** One delivery, with the comments of its round. */
export function LookMode(props: ModeProps) {
  const { job, delivery, before, fileId, onFile, onClose, onCompare } = props;
  const { round, released_at } = delivery;
  const [removing, setRemoving] = useState<string | null>(null);
  const [hasLinks, setLinks] = useState(false);
  const comments = useComments(job.id, round);
  const { view } = useSession();
  const blocked = view ? 'You are viewing this account, which is read only.' : whyBlocked(props);
  const review = useReview({
    files: filesOf(job, delivery),
    fileId,
    onFile,
    comments: comments.comments,
    canComment: blocked === null,
    writing: comments.writing,
    setWriting: comments.setWriting,
    onClose,
  });
  const moves = { job, round, count: comments.stored.length, blocked, onDecided: onClose };
  const removed = comments.comments.find(({ id }) => id === removing);
  const links = view ? null : () => setLinks(true);
  const compare = before ? () => onCompare(before.round, fileId) : null;
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
        actions={
          <>
            <Ways onCompare={compare} onLinks={links} />
            {!view && (
              <>
                <Box w={1} h={22} bg="var(--line)" />
                <ReviewMoves {...moves} hasKeys={review.isReading} />
              </>
            )}
          </>
        }
        menu={(compare || links) && <PhoneWays onCompare={compare} onLinks={links} />}
        phoneActions={
          <>
            <span className="small second">{roundWords(job.revisions)}</span>
            {!view && (
              <Flex gap={8} mt={6}>
                <ReviewMoves {...moves} hasKeys={false} isShort />
              </Flex>
            )}
          </>
        }
        notice={<Newer {...props} />}
        state={<Sent comments={comments.stored} canSend={blocked === null} />}
        readers={blocked === null ? 'The studio reads these when you ask for changes, all at once.' : (blocked ?? '')}
        failure={comments.error && <Failure error={comments.error} />}
        onKeep={comments.keep}
        onRemove={setRemoving}
        onRetry={comments.retry}
      />
      {removed && <RemoveComment jobId={job.id} comment={removed} onClose={() => setRemoving(null)} />}
      {hasLinks && (
        <Suspense fallback={null}>
          <ReviewLinks jobId={job.id} onClose={() => setLinks(false)} />
        </Suspense>
      )}
    </>
  );
}

type SentProps = { comments: { sent_at: string | null; never_sent: boolean }[]; canSend: boolean };

/** Whether the studio has the comments. */
function Sent({ comments, canSend }: SentProps) {
  if (comments.length > 0 && comments.every(({ sent_at }) => sent_at !== null)) return 'sent to the studio';
  if (!canSend && !comments.some(({ never_sent }) => never_sent)) return null;
  return (
    <>
      <IconEyeOff size={15} aria-hidden /> {canSend ? 'not sent yet' : 'never sent'}
    </>
  );
}

type WaysProps = { onCompare: (() => void) | null; onLinks: (() => void) | null };

const Ways = ({ onCompare, onLinks }: WaysProps) => (
  <>
    {onCompare && (
      <Button variant="subtle" leftSection={<IconColumns2 size={16} />} onClick={onCompare}>
        Compare
      </Button>
    )}
    {onLinks && (
      <Button variant="subtle" leftSection={<IconLink size={16} />} onClick={onLinks}>
        Link
      </Button>
    )}
  </>
);

const PhoneWays = ({ onCompare, onLinks }: WaysProps) => (
  <Menu>
    <Menu.Target>
      <ActionIcon size={44} aria-label="More">
        <IconDots size={20} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      {onCompare && (
        <Menu.Item leftSection={<IconColumns2 size={16} />} onClick={onCompare}>
          Compare
        </Menu.Item>
      )}
      {onLinks && (
        <Menu.Item leftSection={<IconLink size={16} />} onClick={onLinks}>
          Links
        </Menu.Item>
      )}
    </Menu.Dropdown>
  </Menu>
);
