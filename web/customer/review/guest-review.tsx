import { Box, Flex } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { AtelierError, type Review } from '../../app/api.ts';
import { Failure } from '../../ui/page/page.tsx';
import { part } from '../../ui/page/part.tsx';
import { ShellSkeleton } from '../../ui/shell/shell.tsx';
import { studio } from '../../ui/shell/studio.ts';
import { StudioFooter } from '../../ui/shell/studio-footer.tsx';
import { guestApi } from './guest-api.ts';
import { Brand, GuestEntry } from './guest-entry.tsx';
import { guestDeliveries } from './guest-files.ts';
import './guest.css';
import { reviewToken, takeReviewToken } from '../fragment-tokens.ts';
import { useLooking } from './use-looking.ts';

const GuestCompare = part(() => import('./guest-compare.tsx'), 'GuestCompare');
const GuestShown = part(() => import('./guest-shown.tsx'), 'GuestShown');
const GuestLook = part(() => import('./guest-look.tsx'), 'GuestLook');

const nameKey = 'atelier-review-name';

/** For somebody with a review link and without an account. */
export function GuestReview() {
  const [name, setName] = useState(() => sessionStorage.getItem(nameKey) ?? '');
  const [isLooking, setLooking] = useState(() => sessionStorage.getItem(nameKey) !== null);
  const review = useQuery({
    queryKey: ['guest', 'review'],
    queryFn: () => guestApi.readReview(),
    enabled: reviewToken() !== '',
    refetchInterval: ({ state: { data } }) =>
      data?.review.files.some(({ poster_status }) => poster_status === 'pending') ? 3_000 : 30_000,
  });
  useEffect(() => {
    document.title = `Review · ${studio.name}`;
    // Another link, opened in the same tab.
    const reload = () => (takeReviewToken(), location.reload());
    addEventListener('hashchange', reload);
    return () => removeEventListener('hashchange', reload);
  }, []);
  const look = () => {
    sessionStorage.setItem(nameKey, name.trim());
    setLooking(true);
  };
  const isDead = reviewToken() === '' || (review.error instanceof AtelierError && review.error.status === 404);
  if (isDead) return <DeadLink />;
  if (review.error && !review.data)
    return (
      <NoReview title="This page could not be loaded">
        <Failure error={review.error} retry={() => void review.refetch()} />
      </NoReview>
    );
  if (!review.data) return <ShellSkeleton />;
  const opened = review.data.review;
  if (opened.finished) return <GuestShown review={opened} finished={opened.finished} />;
  if (!isLooking) return <GuestEntry review={opened} name={name} onName={setName} onLook={look} />;
  return <Opened review={opened} name={name} onLeave={() => setLooking(false)} />;
}

/** The newest delivery, or two deliveries beside each other. */
function Opened({ review, name, onLeave }: { review: Review; name: string; onLeave: () => void }) {
  const [fileId, setFileId] = useState('');
  const [isComparing, setComparing] = useState(false);
  const newest = review.round ?? 0;
  const [shown, setShown] = useState(newest);
  const onNewest = () => (setShown(newest), setComparing(false));
  const body = name.trim() === '' ? {} : { name: name.trim() };
  const lookers = useLooking(['guest', 'looking'], (looking) => guestApi.lookAsGuest({ body: { looking, ...body } }));
  const goTo = (compares: boolean) => (id: string) => {
    setFileId(id);
    setComparing(compares);
  };
  if (isComparing) return <GuestCompare {...{ review, shown, onNewest, fileId, onLeave }} onLook={goTo(false)} />;
  return (
    <GuestLook
      {...{ review, shown, onNewest, lookers }}
      name={name}
      openId={fileId}
      onFile={setFileId}
      onCompare={guestDeliveries(review).length > 1 ? goTo(true) : null}
      onLeave={onLeave}
    />
  );
}

/** The same words for every reason: nobody learns whether the link ever worked. */
const DeadLink = () => (
  <NoReview title="This link does not open anything any more." brand={<Brand />}>
    <p className="second">Ask the person who sent it to you.</p>
    <StudioFooter />
  </NoReview>
);

const NoReview = ({ title, brand, children }: { title: string; brand?: ReactNode; children: ReactNode }) => (
  <Flex
    component="main"
    direction="column"
    align="center"
    justify="center"
    gap={8}
    mih="var(--screen)"
    p={24}
    ta="center"
  >
    {brand}
    <Box component="h1" mt={16} fz={20} fw={600}>
      {title}
    </Box>
    {children}
  </Flex>
);
