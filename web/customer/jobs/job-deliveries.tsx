import { Box, Button, UnstyledButton } from '@mantine/core';
import { IconChecks, IconColumns } from '../../ui/look/icons.ts';
import type { Delivery, File, Job } from '../../app/api.ts';
import { useAddress } from '../../ui/page/address.ts';
import { Time } from '../../ui/time/time.tsx';
import type { CommentCounts } from './comment-counts.ts';
import { DownloadAll } from './job-downloads.tsx';
import { Fold } from './job-fold.tsx';
import { Posters } from './job-posters.tsx';

/** The newest delivery at full size, the earlier ones folded. */
export function Deliveries({ job, comments }: { job: Job; comments: CommentCounts }) {
  const newestFirst = job.deliveries.toReversed();
  return newestFirst.map((delivery, index) => {
    const isNewest = index === 0;
    const panel = (
      <DeliveryPanel
        key={delivery.round}
        delivery={delivery}
        files={filesIn(job, delivery)}
        {...(isNewest ? { comments } : {})}
      />
    );
    if (isNewest) return panel;
    return (
      <Fold
        key={delivery.round}
        title={`Delivery ${delivery.round + 1}`}
        summary={<Summary {...delivery} />}
        when="always"
      >
        {panel}
      </Fold>
    );
  });
}

/** In the order of the studio. */
const filesIn = (job: Job, { file_ids }: Delivery): File[] =>
  file_ids.flatMap((id) => job.files.find((file) => file.id === id) ?? []);

const Summary = ({ released_at, file_ids: { length } }: Delivery) => (
  <>
    <Time at={released_at} />
    {length > 0 && ` · ${length} ${length === 1 ? 'file' : 'files'}`}
  </>
);

type PanelProps = { delivery: Delivery; files: File[]; comments?: CommentCounts };

function DeliveryPanel({ delivery, files, comments }: PanelProps) {
  const [, setAddress] = useAddress<'review' | 'compare'>();
  const { round, message, released_at } = delivery;
  const compare = () => setAddress({ review: files[0]?.id, compare: String(round) }, { replace: false });
  return (
    <section className="panel delivery" aria-label={`Delivery ${round + 1}`}>
      <div className="panel-head">
        <h2>Delivery {round + 1}</h2>
        <span className="second">
          {round > 0 && 'after your changes · '}
          <Time at={released_at} />
        </span>
        {comments?.done && (
          <UnstyledButton className="icon-line good done-count" fz={12.5} onClick={compare}>
            <IconChecks size={15} aria-hidden /> {comments.done.done} of {comments.done.of} done
          </UnstyledButton>
        )}
        <span className="push row" style={{ gap: 4 }}>
          {comments && round > 0 && files[0] && (
            <Button variant="subtle" h={26} px={8} size="xs" leftSection={<IconColumns size={15} />} onClick={compare}>
              Compare with {round}
            </Button>
          )}
          <DownloadAll files={files} label="All" />
        </span>
      </div>
      <div className="panel-body stack">
        {message && (
          <Box component="p" className="prose" fz={files.length === 0 ? 16 : 14} dir="auto">
            {message}
          </Box>
        )}
        {files.length > 0 && <Posters files={files} {...(comments ? { commentsOn: comments.onFile } : {})} />}
      </div>
    </section>
  );
}
