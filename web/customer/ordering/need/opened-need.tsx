import { useNetwork } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { customerPages } from '../../../../contract/pages.ts';
import { AtelierError, type IntakeSession, operationQuery, useOperation } from '../../../app/api.ts';
import { useServiceNames } from '../../../app/service-names.ts';
import { useReadOnlyReason } from '../../../app/session/session.tsx';
import { pathTo } from '../../../ui/page/address.ts';
import { notify } from '../../../ui/page/page.tsx';
import { inOrder, type Span, spansIn, wishSpan } from '../draft/spans.ts';
import { useDraftFiles } from '../draft/use-draft-files.ts';
import { type OrderDraft, useOrderDraft } from '../draft/use-order-draft.ts';
import { type Service, serviceFor, servicesOf } from '../find-services.ts';
import { NeedFoot, OrderFoot } from './need-foot.tsx';
import { Choices, NeedRows, ServiceHead, wishRow } from './need-side.tsx';
import { type Need, needEdits, noNeed, type useNeed } from './use-need.ts';

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

const idOf = ({ family, option }: Service): string => `${family.id}.${option.id}`;

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

/** The box and the draft have the same words; what another page or window changed comes into the box. */
function useSameWords(draft: OrderDraft, need: Need, setNeed: Props['setNeed']) {
  const isShown = useRef(false);
  const typed = useEffectEvent(() => {
    // What stood here before may be older than the draft.
    const isOld = !isShown.current && need.words.trim() === need.stored;
    isShown.current = true;
    if (!isOld && need.words !== draft.value('words')) draft.setText('words', need.words);
  });
  useEffect(() => typed(), [need.words]);
  const stored = draft.session?.words;
  const isPending = draft.edits['words'] !== undefined && draft.edits['words'].trim() !== stored;
  const came = useEffectEvent(() => {
    if (stored === undefined || isPending || stored === need.stored) return;
    const isTyped = need.words.trim() !== need.stored;
    setNeed((before) => ({ ...before, stored, words: isTyped ? before.words : stored }));
  });
  useEffect(() => came(), [stored, isPending]);
}

/**
 * Gives the draft the service that was chosen or found here, and takes over what was chosen elsewhere.
 * Whether the draft has not got it yet.
 */
function useSameService(draft: OrderDraft, service: Service | null, need: Need, takeOver: (id: string) => void) {
  const { session, isSaving, failure } = draft;
  const stored = session && `${session.service_family}.${session.service_type}`;
  const shown = service && idOf(service);
  const isOther = stored !== null && shown !== null && stored !== shown;
  /** What the draft had last. What stood here before may be older. */
  const known = useRef(need.draft !== null && need.words.trim() === need.stored ? 'unknown' : null);
  const change = useEffectEvent(() => {
    const before = known.current;
    known.current = stored;
    if (stored === null || stored === shown) return;
    if (before !== null && before !== stored) return takeOver(stored);
    if (!service) return;
    known.current = shown;
    draft.changeService(service.family.id, service.option.id).catch(() => (known.current = stored));
  });
  useEffect(() => {
    if (isSaving) return;
    const timer = setTimeout(() => change(), isOther && failure ? 4_000 : 0);
    return () => clearTimeout(timer);
  }, [stored, shown, isOther, isSaving, failure]);
  return isOther;
}

/** Milliseconds after which a box that was emptied has no draft. */
const emptyFor = 3_000;

/** Takes back the draft of a box that was emptied, unless there is something else in it. */
function useEmptied(
  { session, isUnsaved }: OrderDraft,
  isUploading: boolean,
  { words, draft }: Need,
  setNeed: Props['setNeed'],
) {
  const close = useOperation('closeIntake');
  const isEmpty =
    draft !== null &&
    words.trim() === '' &&
    !isUnsaved &&
    !isUploading &&
    session !== null &&
    [session.words, session.wanted_by, session.customer_title, ...session.file_ids, ...session.answers].every(
      (it) => !it,
    );
  const takeBack = useEffectEvent(() => {
    if (draft === null) return;
    const onSuccess = () => setNeed((before) => ({ ...noNeed, words: before.words }));
    close.mutate({ path: { id: draft } }, { onSuccess });
  });
  useEffect(() => {
    if (!isEmpty) return;
    const timer = setTimeout(() => takeBack(), emptyFor);
    return () => clearTimeout(timer);
  }, [isEmpty]);
}

/** Opens the page of the draft, with all that was typed. */
function useOpening(
  { isOpening, onOpening }: Props,
  draft: OrderDraft,
  service: Service | null,
  reason: string | null,
) {
  const navigate = useNavigate();
  const open = () =>
    void draft
      .after(async (id) => navigate({ to: pathTo(customerPages.newJob, {}, { draft: id }) }))
      // Where it cannot be stored, the box says so and stays.
      .catch(() => {});
  const openDraft = useEffectEvent(() => {
    if (draft.session === null && reason === null && service === null) return;
    onOpening(false);
    if (reason !== null) return notify(reason);
    open();
  });
  useEffect(() => {
    if (isOpening) openDraft();
  }, [isOpening, draft.session, service, reason]);
  return open;
}
