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
  /** How often the person asked to open the draft by key. */
  openings: number;
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
  const { service, match } = useService(need, session, setNeed);
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
  const isChanging = useSameService(draft, reason === null ? service : null);
  const spans = useMemo(
    () => (draft.session ? spansOf(need.words, draft.session, draft.value('wanted_by')) : []),
    [need.words, draft],
  );
  const shown = JSON.stringify(spans);
  useEffect(() => {
    onSpans(JSON.parse(shown) as Span[]);
    return () => onSpans([]);
  }, [onSpans, shown]);
  const choose = ({ family, option }: Service) =>
    setNeed((before) => ({ ...before, service: `${family.id}.${option.id}` }));
  const open = useOpening(props.openings, draft, service, reason);
  useEmptied(draft, need, setNeed);
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

/** The service that the person chose, perhaps on the page of the draft, or that the words name. */
function useService(
  { words, stored, service: chosen }: Need,
  session: IntakeSession | null,
  setNeed: Props['setNeed'],
) {
  const { families } = useServiceNames();
  const match = useMemo(() => serviceFor(families, words), [families, words]);
  const all = servicesOf(families);
  const named = (id: string | null) => all.find(({ family, option }) => `${family.id}.${option.id}` === id) ?? null;
  const changed = useEffectEvent(() => {
    const id = session && `${session.service_family}.${session.service_type}`;
    const isFound = match.found && `${match.found.family.id}.${match.found.option.id}` === id;
    if (id && !isFound && words.trim() === stored && named(id)) setNeed((before) => ({ ...before, service: id }));
  });
  useEffect(() => changed(), []);
  return { service: named(chosen) ?? match.found, match };
}

const spansOf = (words: string, session: IntakeSession, wish: string): Span[] => {
  const place = wish === '' ? null : wishSpan(words, wish);
  const spans = place ? [{ ...place, requirement: wishRow, accepted: false }] : [];
  return inOrder([...spansIn(words, session), ...spans]);
};

/** The box and the draft have the same words; what another page or window changed comes into the box. */
function useSameWords(draft: OrderDraft, need: Need, setNeed: Props['setNeed']) {
  const typed = useEffectEvent(() => {
    if (need.words.trim() !== need.stored && need.words !== draft.value('words')) draft.setText('words', need.words);
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

/** Gives the draft the service that is shown. Whether it still has another one. */
function useSameService(draft: OrderDraft, service: Service | null): boolean {
  const { session, isSaving, failure } = draft;
  const isOther =
    session !== null &&
    service !== null &&
    (session.service_family !== service.family.id || session.service_type !== service.option.id);
  const change = useEffectEvent(() => {
    if (service) void draft.changeService(service.family.id, service.option.id).catch(() => {});
  });
  useEffect(() => {
    if (!isOther || isSaving) return;
    const timer = setTimeout(() => change(), failure ? 4_000 : 0);
    return () => clearTimeout(timer);
  }, [isOther, isSaving, failure]);
  return isOther;
}

/** Milliseconds after which a box that was emptied has no draft. */
const emptyFor = 3_000;

/** Takes back the draft of a box that was emptied, unless somebody answered something in it. */
function useEmptied({ session, isUnsaved }: OrderDraft, { words, draft }: Need, setNeed: Props['setNeed']) {
  const close = useOperation('closeIntake');
  const isEmpty =
    draft !== null &&
    words.trim() === '' &&
    !isUnsaved &&
    session !== null &&
    session.words + session.file_ids.join('') === '' &&
    session.answers.length === 0;
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
function useOpening(openings: number, draft: OrderDraft, service: Service | null, reason: string | null) {
  const navigate = useNavigate();
  const done = useRef(0);
  const open = () =>
    void draft
      .after(async (id) => navigate({ to: pathTo(customerPages.newJob, {}, { draft: id }) }))
      // Where it cannot be stored, the box says so and stays.
      .catch(() => {});
  const openDraft = useEffectEvent(() => {
    if (openings <= done.current || (draft.session === null && reason === null)) return;
    done.current = openings;
    if (reason !== null) return notify(reason);
    open();
  });
  useEffect(() => openDraft(), [openings, draft.session, service, reason]);
  return open;
}
