import {
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleHalf2,
  IconCircleX,
  IconEye,
  IconHandStop,
} from '../look/icons.ts';
import type { Icon } from '../look/icon.ts';
import type { Job } from '../../../client/generated/types.gen.ts';
import type { JobStatus as StatusName } from '../../../contract/moves.ts';
import { deskStatusWords, statusWords } from './words.ts';

const icons: Record<StatusName, Icon> = {
  queued: IconCircleDashed,
  accepted: IconCircleCheck,
  running: IconCircleHalf2,
  needs_review: IconEye,
  ready_for_customer_review: IconHandStop,
  completed: IconCircleCheck,
  rejected: IconCircleX,
  canceled: IconBan,
};

const tones: Partial<Record<StatusName, string>> = {
  running: 'work',
  needs_review: 'work',
  completed: 'good',
  rejected: 'bad',
};

type StatusProps = {
  status: StatusName;
  side?: 'customer' | 'desk';
  parked?: boolean;
  importedAt?: string | null;
};

/** Highlights what waits for the reader: deliveries for customers, reviews at the desk. */
export function Status({ status, side = 'customer', parked = false, importedAt = null }: StatusProps) {
  const Mark = icons[status];
  const yours = status === (side === 'customer' ? 'ready_for_customer_review' : 'needs_review');
  return (
    <>
      <span className={`status ${parked ? 'turn' : yours ? 'yours' : (tones[status] ?? '')}`}>
        <Mark size={14} stroke={1.8} aria-hidden />
        {parked ? 'Parked' : (side === 'customer' ? statusWords : deskStatusWords)[status]}
      </span>
      {importedAt && <span className="small second"> Imported</span>}
    </>
  );
}

type Shown = Pick<Job, 'status' | 'waiting_on' | 'imported_at'>;
/** For customers: an open question comes before the status. */
export const JobStatus = ({ job: { status, waiting_on, imported_at } }: { job: Shown }) =>
  waiting_on === null ? (
    <Status status={status} importedAt={imported_at} />
  ) : (
    <span className="status yours">
      <IconHandStop size={14} stroke={1.8} aria-hidden />
      Question for you
    </span>
  );
