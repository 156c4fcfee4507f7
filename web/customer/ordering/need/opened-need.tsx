import { useNetwork } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { AtelierError, type IntakeSession, operationQuery } from '../../../app/api.ts';
import { useServiceNames } from '../../../app/service-names.ts';
import { useReadOnlyReason } from '../../../app/session/session.tsx';
import { inOrder, type Span, spansIn, wishSpan } from '../draft/spans.ts';
import { useDraftFiles } from '../draft/use-draft-files.ts';
import { useOrderDraft } from '../draft/use-order-draft.ts';
import { idOf, type Service, serviceFor, servicesOf } from '../find-services.ts';
import { useEmptied, useOpening, useSameService, useSameWords } from './need-draft.ts';
import { NeedFoot, OrderFoot } from './need-foot.tsx';
import { Choices, NeedRows, ServiceHead, wishRow } from './need-side.tsx';
import { type Need, needEdits, type useNeed } from './use-need.ts';

type Props = {
  need: Need;
  setNeed: ReturnType<typeof useNeed>[1];
  /** The draft was ordered or deleted. */
  onEnded: () => void;
  /** Files that wait to be taken over. */
  dropped: File[];
  onTaken: () => void;
  active: string | null;
  onActive: (field: string | null) => void;
  onSpans: (spans: Span[]) => void;
  /** Whether the person asked for the page of the draft by key. */
  isOpening: boolean;
  onOpening: (isOpening: boolean) => void;
  isWishing: boolean;
};

/** What the words become. Loaded once there are some. */
export function OpenedNeed(props: Props) {
  const { need, setNeed, onEnded } = props;
  const { families } = useServiceNames();
  const { data, error } = useQuery({
    ...operationQuery('readIntake', { path: { id: need.draft ?? '' } }),
    enabled: need.draft !== null,
    refetchInterval: 30_000,
  });
  const session = data?.intake_session ?? null;
  const isGone = error instanceof AtelierError && error.status === 404;
  const isOver = useEffectEvent(() => {
    if (session?.status === 'confirmed' || session?.status === 'closed') onEnded();
    // The words outlive their draft.
    else if (isGone || session?.status === 'expired') setNeed((before) => ({ ...before, draft: null, stored: '' }));
  });
  useEffect(() => isOver(), [session?.status, isGone]);
  if (families.length === 0 || isGone || (session && !['open', 'brief_ready'].includes(session.status))) return null;
  if (need.draft !== null && !session && !error) return <div className="need-side" />;
  return <Opened {...props} session={session} />;
}

type OpenedProps = Props & { session: IntakeSession | null };

function Opened({ session, ...props }: OpenedProps) {
  const { need, setNeed, dropped, onTaken, onSpans } = props;
  const { families } = useServiceNames();
  const { service, match } = useService(need);
  const { online } = useNetwork();
  const readOnly = useReadOnlyReason();
  const reason = readOnly ?? (online ? null : 'There is no connection. Your words are kept here.');
  const fallback = servicesOf(families)[0]!;
  const draft = useOrderDraft({
    ...(service ?? fallback),
    session,
    localName: need.draft === null ? needEdits : `order-${need.draft}`,
    onOpened: (id) => setNeed((before) => ({ ...before, draft: id })),
    reason: reason ?? (service && (session !== null || need.draft === null) ? null : 'Choose a service.'),
  });
  const files = useDraftFiles(draft);
  useEffect(() => {
    if (dropped.length === 0) return;
    files.queue.add(dropped);
    onTaken();
    // oxlint-disable-next-line react/exhaustive-deps -- when files came
  }, [dropped]);
  useSameWords(draft, need, setNeed);
  const isChanging = useSameService(draft, reason === null ? service : null, need, (id) => {
    const isFound = match.found !== null && idOf(match.found) === id;
    setNeed((before) => ({ ...before, service: isFound ? null : id }));
  });
  const spans = useMemo(
    () => (draft.session ? spansOf(need.words, draft.session, draft.value('wanted_by')) : []),
    [need.words, draft],
  );
  const shown = JSON.stringify(spans);
  useEffect(() => {
    onSpans(JSON.parse(shown) as Span[]);
    return () => onSpans([]);
  }, [onSpans, shown]);
  const choose = (chosen: Service) => setNeed((before) => ({ ...before, service: idOf(chosen) }));
  const open = useOpening(props, draft, service, reason);
  useEmptied(draft, files.queue.busy, need, setNeed);
  const isReading = isChanging || draft.isUnsaved || draft.isSaving;
  const { active, onActive, isWishing } = props;
  const rows = { draft, active, onActive, isWishing };
  if (!service)
    return (
      <>
        <div className="need-side">
          <Choices services={match.offers} onChoose={choose} draft={need.draft} />
          <NeedRows {...rows} option={null} />
        </div>
        <NeedFoot draft={draft} files={files} reason={reason} />
      </>
    );
  return (
    <>
      <div className="need-side">
        <ServiceHead
          service={service}
          other={need.service === null ? match.other : null}
          offers={match.offers}
          onChoose={choose}
        />
        <NeedRows {...rows} option={service.option} />
      </div>
      <OrderFoot
        {...service}
        draft={draft}
        files={files}
        reason={reason}
        isReading={isReading}
        onOpen={open}
        onOrdered={props.onEnded}
      />
    </>
  );
}

/** The service that the person chose, or that the words name. */
function useService({ words, service: chosen }: Need) {
  const { families } = useServiceNames();
  const match = useMemo(() => serviceFor(families, words), [families, words]);
  return { service: servicesOf(families).find((service) => idOf(service) === chosen) ?? match.found, match };
}

const spansOf = (words: string, session: IntakeSession, wish: string): Span[] => {
  const place = wish === '' ? null : wishSpan(words, wish);
  const spans = place ? [{ ...place, requirement: wishRow, accepted: false }] : [];
  return inOrder([...spansIn(words, session), ...spans]);
};
