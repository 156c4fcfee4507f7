import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { deskPages } from '../../../contract/pages.ts';
import { api, type ClaimJobResponses, useOperation } from '../../app/api.ts';
import { pathTo } from '../../ui/page/address.ts';
import { keepLease } from '../job/lease.ts';
import { failureSentence, notify } from '../../ui/page/page.tsx';

type Claimed = ClaimJobResponses[200];

/** Seconds of the lease, which the open page extends, and of one waiting claim. */
const leaseSeconds = 900;
const waitSeconds = 20;

/** If there is none, waits until stopped. Releases a job that arrives after that. */
export function useTakeNext(family: string | undefined, { waits }: { waits: boolean }) {
  const claim = useOperation('claimJob');
  const navigate = useNavigate();
  const [waiting, setWaiting] = useState(false);
  const latestRequest = useRef(0);
  useEffect(() => () => void (latestRequest.current += 1), []);

  const stop = () => {
    latestRequest.current += 1;
    setWaiting(false);
  };
  const take = async () => {
    const thisRequest = (latestRequest.current += 1);
    const ask = (wait: number) =>
      claim.mutateAsync({
        body: { lease_seconds: leaseSeconds, wait, ...(family ? { service_families: [family] } : {}) },
      }) as Promise<Claimed | undefined>;
    let claimed = await ask(0);
    // 204: no free job.
    if (!claimed?.lease && !waits) return notify('There is no free job of your services to take.');
    if (!claimed?.lease) notify('There is no free job of your services. You get the next one.');
    while (!claimed?.lease && thisRequest === latestRequest.current) {
      setWaiting(true);
      claimed = await ask(waitSeconds);
    }
    if (!claimed?.lease) return;
    if (thisRequest !== latestRequest.current) return void (await giveBack(claimed));
    keepLease(claimed.job.id, { token: claimed.lease.token, seconds: leaseSeconds });
    await navigate({ to: pathTo(deskPages.job, { id: claimed.job.id }) });
  };
  return {
    pending: claim.isPending && !waiting,
    waiting,
    stop,
    take: () =>
      void take()
        .catch((error: Error) => notify(failureSentence(error)))
        .finally(() => setWaiting(false)),
  };
}

const giveBack = ({ job, lease }: Claimed) =>
  api.releaseJob({ path: { id: job.id }, body: { lease_token: lease.token } });
