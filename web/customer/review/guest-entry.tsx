import { Button, TextInput } from '@mantine/core';
import { IconCheck, IconMinus } from '../../ui/look/icons.ts';
import type { Review } from '../../app/api.ts';
import { sayCount } from '../../ui/review/comments.ts';
import { ThumbFace } from '../../ui/review/strip.tsx';
import { Time } from '../../ui/time/time.tsx';
import { StudioFooter } from '../../ui/shell/studio-footer.tsx';
import { Brand } from './brand.tsx';
import { newestFiles, pictureOf, useGuestUrl } from './guest-files.ts';

type Props = { review: Review; name: string; onName: (name: string) => void; onLook: () => void };

/** The work at once, and beside it who asks, for what, and what one may do. */
export function GuestEntry({ review, name, onName, onLook }: Props) {
  const { job_title, shared_by, can_comment, expires_at, round } = review;
  const files = newestFiles(review);
  const others = files.filter(({ id }) => id !== pictureOf(files)?.id);
  return (
    <main className="guest">
      <div className="guest-work">
        <Brand />
        <Work review={review} />
        <div className="guest-thumbs" aria-hidden>
          {others.slice(0, 5).map((file) => (
            <span key={file.id}>
              <ThumbFace file={file} />
            </span>
          ))}
        </div>
      </div>
      <form className="guest-form" onSubmit={(event) => (event.preventDefault(), onLook())}>
        <p className="second">
          <strong>{shared_by.name}</strong> asks you to look
        </p>
        <h1>{job_title}</h1>
        <p className="second">
          {round === null
            ? 'Nothing has been delivered yet'
            : `Delivery ${round + 1} · ${sayCount(files.length, 'file')}`}
        </p>
        {can_comment && (
          <TextInput
            label="Your name"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            description="Stands beside your comments. No account, no password."
            required
            withAsterisk={false}
            maxLength={80}
            autoComplete="name"
            size="md"
            value={name}
            onChange={({ currentTarget }) => onName(currentTarget.value)}
          />
        )}
        <Button type="submit" fullWidth disabled={files.length === 0 || (can_comment && name.trim() === '')}>
          Look at it
        </Button>
        <Rights count={files.length} canComment={can_comment} sharedBy={shared_by.name} />
        <p className="small third">
          The link ends on <Time at={expires_at} as="day" />. Whoever has it can use it: pass it on with care.
        </p>
        <StudioFooter />
      </form>
    </main>
  );
}

function Work({ review }: { review: Review }) {
  const file = pictureOf(newestFiles(review));
  const url = useGuestUrl(file && file.poster === null ? file.id : undefined);
  const picture = file?.poster ?? url;
  return <div className="guest-picture">{picture && <img src={picture} alt={file?.file_name ?? ''} />}</div>;
}

type RightsProps = { count: number; canComment: boolean; sharedBy: string };

const Rights = ({ count, canComment, sharedBy }: RightsProps) => (
  <ul className="guest-rights">
    <li>
      <IconCheck size={16} className="good" aria-hidden />{' '}
      {count === 1 ? 'Look at the file and download it' : `Look at the ${count} files and download them`}
    </li>
    {canComment && (
      <li>
        <IconCheck size={16} className="good" aria-hidden /> Comment: point at a place and say what should change
      </li>
    )}
    <li className="second">
      <IconMinus size={16} aria-hidden /> Approving stays with {sharedBy}
    </li>
  </ul>
);
