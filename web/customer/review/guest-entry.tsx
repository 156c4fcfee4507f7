import { Box, Button, Flex, TextInput } from '@mantine/core';
import { IconCheck, IconMinus } from '../../ui/look/icons.ts';
import { useMutation } from '@tanstack/react-query';
import type { AtelierError, Review } from '../../app/api.ts';
import { fieldError, submitting } from '../../ui/form/form.ts';
import { Failure } from '../../ui/page/page.tsx';
import { ThumbFace } from '../../ui/review/strip.tsx';
import { Time } from '../../ui/time/time.tsx';
import { Mark } from '../../ui/shell/mark.tsx';
import { StudioFooter } from '../../ui/shell/studio-footer.tsx';
import { studio } from '../../ui/shell/studio.ts';
import { guestApi } from './guest-api.ts';
import { newestFiles, pictureOf, useGuestUrl } from './guest-files.ts';
import { counted } from '../../ui/job/words.ts';

const thumb = {
  className: 'second',
  align: 'center',
  justify: 'center',
  h: 88,
  bd: '1px solid var(--line)',
  bdrs: 7,
  bg: 'var(--panel)',
};

const fiveBeside = { gridTemplateColumns: 'repeat(5, 1fr)', gap: 12 };
const form = {
  component: 'form',
  className: 'guest-form',
  direction: 'column',
  justify: 'center',
  gap: 14,
  bg: 'var(--panel)',
} as const;

type Props = { review: Review; name: string; onName: (name: string) => void; onLook: () => void };

/** The work at once, and beside it who asks, for what, and what one may do. */
export function GuestEntry({ review, name, onName, onLook }: Props) {
  // The service checks the name before anything is written under it.
  const enter = useMutation<unknown, AtelierError>({
    mutationFn: () =>
      guestApi.lookAsGuest({ body: { looking: true, ...(review.can_comment && { name: name.trim() }) } }),
    onSuccess: onLook,
  });
  const { job_title, shared_by, can_comment, expires_at, round } = review;
  const files = newestFiles(review);
  const others = files.filter(({ id }) => id !== pictureOf(files)?.id);
  return (
    <main className="guest">
      <Flex className="guest-work" direction="column" gap={12} bg="var(--sunken)">
        <Brand />
        <Work review={review} />
        <Box className="wide-only" display="grid" mb="auto" style={fiveBeside} aria-hidden>
          {others.slice(0, 5).map((file) => (
            <Flex key={file.id} {...thumb}>
              <ThumbFace file={file} />
            </Flex>
          ))}
        </Box>
      </Flex>
      <Flex {...form} onSubmit={submitting(() => enter.mutate())}>
        <p className="second">
          <Box component="strong" className="ink" fw={500}>
            {shared_by.name}
          </Box>{' '}
          asks you to look
        </p>
        <Box component="h1" className="breaks" my={-10} fz={22} fw={600} lh={1.3}>
          {job_title}
        </Box>
        <p className="second">
          {round === null
            ? 'Nothing has been delivered yet'
            : `Delivery ${round + 1} · ${counted(files.length, 'file')}`}
        </p>
        {can_comment && (
          <TextInput
            label="Your name"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            description="Stands beside your comments. No account, no password."
            required
            maxLength={80}
            autoComplete="name"
            size="md"
            value={name}
            onChange={({ currentTarget }) => (enter.reset(), onName(currentTarget.value))}
            error={fieldError(enter.error, 'name')}
          />
        )}
        {enter.error && <Failure error={enter.error} fields={['name']} />}
        <Button
          type="submit"
          fullWidth
          loading={enter.isPending}
          disabled={files.length === 0 || (can_comment && name.trim() === '')}
        >
          Look at it
        </Button>
        <Rights count={files.length} canComment={can_comment} sharedBy={shared_by.name} />
        <p className="small third">
          The link ends on <Time at={expires_at} as="day" />. Whoever has it can use it: pass it on with care.
        </p>
        <StudioFooter />
      </Flex>
    </main>
  );
}

export const Brand = () => (
  <span className="brand">
    <Mark size={26} />
    <span className="brand-name">{studio.name}</span>
  </span>
);

function Work({ review }: { review: Review }) {
  const file = pictureOf(newestFiles(review));
  const url = useGuestUrl(file && file.poster === null ? file.id : undefined);
  const picture = file?.poster ?? url;
  return (
    <Flex className="guest-picture" align="center" justify="center">
      {picture && <img src={picture} alt={file?.file_name ?? ''} />}
    </Flex>
  );
}

const Rights = ({ count, canComment, sharedBy }: { count: number; canComment: boolean; sharedBy: string }) => (
  <Box component="ul" className="guest-rights stack-small line-above" mt={4} pt={18}>
    <Flex component="li" gap={10}>
      <IconCheck size={16} className="good" aria-hidden />{' '}
      {count === 1 ? 'Look at the file and download it' : `Look at the ${count} files and download them`}
    </Flex>
    {canComment && (
      <Flex component="li" gap={10}>
        <IconCheck size={16} className="good" aria-hidden /> Comment: point at a place and say what should change
      </Flex>
    )}
    <Flex component="li" className="second" gap={10}>
      <IconMinus size={16} aria-hidden /> Approving stays with {sharedBy}
    </Flex>
  </Box>
);
