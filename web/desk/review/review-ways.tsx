import { Button } from '@mantine/core';
import { IconColumns2, IconDownload, IconEye } from '../../ui/look/icons.ts';
import type { DeskJob, File } from '../../app/api.ts';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { useToDo } from '../job/use-to-do.ts';
import { deskArchiveUrl } from '../job/send-deliverable.ts';
import { useOpenReview } from './address.ts';

const small = { variant: 'subtle', color: 'gray', size: 'compact-sm' };

type Props = {
  job: DeskJob;
  files: File[];
  round: number;
  /** Its review has a key. While there are changes to make, the key belongs to them. */
  newest?: boolean;
};

/** In the head of a delivery: over the whole window, or beside the one before. */
export function ReviewWays({ job, files, round, newest = false }: Props) {
  const open = useOpenReview();
  const [first] = files;
  const before = job.deliveries.findLast((each) => each.round < round && each.file_ids.length > 0);
  const hasKey = useToDo(job).comments.length === 0 && newest;
  const review = () => first && open(first.id);
  useShortcut('v', `Review delivery ${round + 1}`, hasKey && first ? review : null);
  if (!first) return null;
  return (
    <span className="push row review-ways">
      <Button
        {...small}
        leftSection={<IconEye size={15} />}
        aria-label={`Review delivery ${round + 1}`}
        onClick={review}
      >
        Review
      </Button>
      {before && (
        <Button
          {...small}
          leftSection={<IconColumns2 size={15} />}
          aria-label={`Compare with ${before.round + 1}: delivery ${round + 1}`}
          onClick={() => open(first.id, { compare: String(before.round + 1) })}
        >
          {`Compare with ${before.round + 1}`}
        </Button>
      )}
      {files.length > 1 && files.every((file) => file.round !== null) && (
        <Button
          {...small}
          component="a"
          href={deskArchiveUrl(job.id, round)}
          download
          leftSection={<IconDownload size={15} />}
          aria-label={`All, .zip: delivery ${round + 1}`}
        >
          All, .zip
        </Button>
      )}
    </span>
  );
}
