import { Button, Group } from '@mantine/core';
import { IconLink } from '../../ui/look/icons.ts';
import { useState } from 'react';
import { type Job, operationQuery } from '../../app/api.ts';
import { useQuery } from '@tanstack/react-query';
import { counted } from '../../ui/job/words.ts';
import { Panel } from '../../ui/page/page.tsx';
import { part } from '../../ui/page/part.tsx';
import { Face } from '../../ui/thread/story-entry.tsx';
import { Time } from '../../ui/time/time.tsx';
import type { CommentCounts } from './comment-counts.ts';

const ReviewLinks = part(() => import('../review/review-links.tsx'), 'ReviewLinks');

export function WhoLooks({ job, comments }: { job: Job; comments: CommentCounts }) {
  const [open, setOpen] = useState(false);
  const { data } = useQuery(operationQuery('listReviewLinks', { path: { id: job.id } }));
  const links = data?.review_links.filter(({ status }) => status === 'active') ?? [];
  return (
    <Panel title="Who looks">
      <div className="stack-small">
        {comments.authors.map(({ name, isGuest, count }) => (
          <Group key={`${name} ${isGuest}`} gap={10} wrap="nowrap">
            <Face name={name} face="person" />
            <bdi className="breaks">{name}</bdi>
            {isGuest && <span className="tag">guest</span>}
            <span className="push small second" style={{ whiteSpace: 'nowrap' }}>
              {counted(count, 'comment')}
            </span>
          </Group>
        ))}
        {links.map(({ id, name, expires_at }) => (
          <Group key={id} className="small second" gap={10} wrap="nowrap">
            <IconLink size={15} aria-hidden />
            <span>
              Link “<bdi className="breaks">{name}</bdi>”
            </span>
            <span className="push" style={{ whiteSpace: 'nowrap' }}>
              until <Time at={expires_at} as="day" />
            </span>
          </Group>
        ))}
        <Button variant="default" leftSection={<IconLink size={16} />} onClick={() => setOpen(true)}>
          Make a link for somebody
        </Button>
        <p className="small second">Without an account: looks, downloads, comments. Never approves.</p>
      </div>
      {open && <ReviewLinks jobId={job.id} onClose={() => setOpen(false)} />}
    </Panel>
  );
}
