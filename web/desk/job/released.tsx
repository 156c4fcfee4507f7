import type { DeskJob } from '../../app/api.ts';
import { FileCard } from '../../ui/preview/preview.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { ReviewWays } from '../review/review-ways.tsx';
import { deskFileUrl } from './send-deliverable.ts';

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
          {files.length > 0 && (
            <div className="small-files">
              {files.map((file) => (
                <FileCard key={file.id} file={file} url={deskFileUrl(file.id)} />
              ))}
            </div>
          )}
        </div>
      </Panel>
    );
  });
