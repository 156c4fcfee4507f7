import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { customerPages } from '../../../../contract/pages.ts';
import { useOperation } from '../../../app/api.ts';
import { pathTo } from '../../../ui/page/address.ts';
import { notify } from '../../../ui/page/page.tsx';
import type { OrderDraft } from '../draft/use-order-draft.ts';
import { idOf, type Service } from '../find-services.ts';
import { type Need, noNeed, type useNeed } from './use-need.ts';

type SetNeed = ReturnType<typeof useNeed>[1];

/** The box and the draft have the same words; what another page or window changed comes into the box. */
export function useSameWords(draft: OrderDraft, need: Need, setNeed: SetNeed) {
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
export function useSameService(draft: OrderDraft, service: Service | null, need: Need, takeOver: (id: string) => void) {
  const { session, isSaving, failure } = draft;
  const stored = session && `${session.service_family}.${session.service_type}`;
  const shown = service && idOf(service);
  const isOther = stored !== null && shown !== null && stored !== shown;
  /** What the draft had last. What stood in the box before it was shown may be older. */
  const storedBefore = useRef(need.draft !== null && need.words.trim() === need.stored ? 'unknown' : null);
  const change = useEffectEvent(() => {
    const before = storedBefore.current;
    storedBefore.current = stored;
    if (stored === null || stored === shown) return;
    if (before !== null && before !== stored) return takeOver(stored);
    if (!service) return;
    storedBefore.current = shown;
    draft.changeService(service.family.id, service.option.id).catch(() => (storedBefore.current = stored));
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
export function useEmptied(
  { session, isUnsaved }: OrderDraft,
  isUploading: boolean,
  { words, draft }: Need,
  setNeed: SetNeed,
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
export function useOpening(
  { isOpening, onOpening }: { isOpening: boolean; onOpening: (isOpening: boolean) => void },
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
