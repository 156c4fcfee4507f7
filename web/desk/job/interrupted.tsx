import { useEffect, useRef, useState } from 'react';
import { canReschedule, isEnded } from '../../../contract/moves.ts';
import type { DeskJob, JobEvent } from '../../app/api.ts';
import { useStoredDrafts } from '../../app/session/draft.ts';
import { useRead } from '../../app/use-reads.ts';
import { KeptTexts } from '../../ui/thread/kept-texts.tsx';
import { newsRead } from '../frame.reads.ts';
import type { Delivery } from './use-delivery.ts';
import { useMoves } from './use-moves.ts';
import { sayInterruption } from './words.ts';

type Props = { job: DeskJob; events: JobEvent[]; delivery: Delivery };

/** Somebody ended the job or took it over while it was open here: says who, and keeps what was written. */
export function Interrupted({ job, events, delivery }: Props) {
  const { has } = useMoves(job);
  const drafts = useStoredDrafts();
  const [opened] = useState(() => Date.now());
  const [closed, setClosed] = useState('');
  const lost = useLostDelivery(job, delivery, drafts);
  const news = useRead(newsRead).data?.notifications.find(
    ({ job_id, kind, created_at }) =>
      job_id === job.id && /^(?:taken_over|rejected_by_colleague)$/.test(kind) && Date.parse(created_at) > opened,
  );
  const isLost = lost.message !== null && (news !== undefined || job.status === 'canceled');
  const written = [
    {
      name: lost.name,
      label: 'Message of the delivery',
      text: (isEnded(job.status) && drafts.read(lost.name)) || (isLost && lost.message) || '',
    },
    {
      name: `return-${job.id}`,
      label: 'What should change',
      text: has('return') ? '' : drafts.read(`return-${job.id}`),
    },
    { name: `reject-${job.id}`, label: 'Reason to reject', text: has('reject') ? '' : drafts.read(`reject-${job.id}`) },
    {
      name: `due-reason-${job.id}`,
      label: 'Reason for another date',
      text: canReschedule(job.status) ? '' : drafts.read(`due-reason-${job.id}`),
    },
  ];
  const texts = written.filter(({ text }) => text.trim() !== '');
  const place = `${job.status} ${job.holder?.since}`;
  if ((texts.length === 0 && !isLost) || closed === place) return null;
  const close = () => {
    drafts.forget(texts.map(({ name }) => name));
    lost.forget();
    setClosed(place);
  };
  return (
    <KeptTexts texts={texts} onClose={close}>
      {sayInterruption(job, events, news?.title)}
    </KeptTexts>
  );
}

const isAtWork = ({ status }: DeskJob) => status === 'accepted' || status === 'running';

/**
 * What its holder had written when the job was taken over or ended before its delivery: the draft on the
 * server is another's then, or gone. Null while nothing was lost.
 */
function useLostDelivery(job: DeskJob, { mine, draft }: Delivery, drafts: ReturnType<typeof useStoredDrafts>) {
  const name = `delivery-${job.id}`;
  const { status } = job;
  const [lost, setLost] = useState<string | null>(null);
  const writes = mine && isAtWork(job);
  const wrote = useRef(false);
  const message = useRef('');
  // Not what is empty: the draft may be read anew before the job is.
  if (writes && draft.message.trim() !== '') message.current = draft.message;
  useEffect(() => {
    if (writes) setLost(null);
    else if (wrote.current) {
      const isOver = status === 'canceled' || status === 'rejected';
      if (isOver && message.current !== '') drafts.write(name, message.current);
      if (isOver || status === 'queued' || isAtWork(job)) setLost(message.current);
      message.current = '';
    }
    wrote.current = writes;
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the job goes to another or ends
  }, [writes, status]);
  return { name, message: lost, forget: () => setLost(null) };
}
