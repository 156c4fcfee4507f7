import type { DeskJob } from '../../app/api.ts';
import { Panel } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { ReviewWays } from '../review/review-ways.tsx';
import { SmallFiles } from './small-files.tsx';

export const Released = ({ job }: { job: DeskJob }) =>
  job.deliveries.toReversed().map(({ round, message, file_ids: ids, released_at: at }) => {
    const files = ids.flatMap((id) => job.files.find((file) => file.id === id) ?? []);
    return (
      <Panel
        key={round}
        title={`Delivery ${round + 1}`}
        beside={
          <>
            <span className="second">
              with the customer since <Time at={at} as="moment" />
            </span>
            <ReviewWays job={job} files={files} round={round} />
          </>
        }
      >
        <div className="stack">
          {message && <p className="prose">{message}</p>}
          <SmallFiles files={files} />
        </div>
      </Panel>
    );
  });
