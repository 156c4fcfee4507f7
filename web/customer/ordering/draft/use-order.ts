import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { customerPages } from '../../../../contract/pages.ts';
import { AtelierError, type IntakeSession, operationQuery, useOperation } from '../../../app/api.ts';
import { pathTo } from '../../../ui/page/address.ts';
import { type StudioField, studioNames } from '../../../../contract/jobs/optional-fields.ts';
import type { NewJob } from '../../../../client/generated/types.gen.ts';
import { composeInstructions } from '../../../../contract/jobs/instructions.ts';
import type { ServiceDraft } from './use-order-draft.ts';

export type Order = ReturnType<typeof useOrder>;

type Ordering = ServiceDraft & {
  /** Suggestions that ordering accepts. */
  accepts?: string[];
  onOrdered?: (() => void) | undefined;
};

/** Orders a draft: what has no answer is left to the studio, and the brief of that version is confirmed. */
export function useOrder({ draft, accepts = [], onOrdered, ...service }: Ordering) {
  const navigate = useNavigate();
  const confirm = useOperation('confirmBrief').mutateAsync;
  const [key] = useState(() => crypto.randomUUID());
  const run = async (id: string) => {
    let session = draft.live.current.session;
    for (const requirement of accepts) session = await draft.settle(id, { requirement, accept: true });
    for (const requirement of unsettledIn(session)) session = await draft.settle(id, { requirement, open: true });
    const version = session?.version ?? 1;
    const input = { path: { id }, body: { brief_version: version }, idempotencyKey: `${key}-${version}` };
    return (await confirm(input)).job.id;
  };
  const onSuccess = (id: string) => {
    onOrdered?.();
    void navigate({ to: pathTo(customerPages.job, { id }) });
  };
  // It is kept, and its page says for whom it waits.
  const onError = (error: Error) => {
    const page = error instanceof AtelierError && error.code === 'confirmation_required' && error.details[0]?.url;
    if (!page) return;
    onOrdered?.();
    void navigate({ to: new URL(page).pathname });
  };
  const order = useMutation({ mutationFn: () => draft.after(run), onSuccess, onError });
  const body = orderOf(draft.session, service);
  // An ordered draft is not checked again, because its files now belong to the job.
  const preflight = useQuery({
    ...operationQuery('preflightJob', { body }),
    staleTime: 15_000,
    // The answer for the draft of a moment ago.
    placeholderData: keepPreviousData,
    enabled: !order.isPending && !order.isSuccess,
  });
  return {
    run: () => !order.isPending && order.mutate(),
    isPending: order.isPending || order.isSuccess,
    error: order.error ?? preflight.error,
    preflight: preflight.data?.preflight ?? null,
    body,
    key,
  };
}

const unsettledIn = (session: IntakeSession | null): string[] =>
  session?.missing_intake_requirements.filter((label) => !session.open_requirements.includes(label)) ?? [];

const optionalOf = (session: IntakeSession | null): Partial<Pick<NewJob, StudioField>> =>
  Object.fromEntries(studioNames.flatMap((name) => (session?.[name] ? [[name, session[name]]] : [])));

/** What POST /api/v1/jobs takes for it. Even an empty draft reveals problems with plan and quota. */
export function orderOf(session: IntakeSession | null, { family, option }: Omit<ServiceDraft, 'draft'>) {
  const answers = Object.fromEntries((session?.answers ?? []).map(({ requirement, answer }) => [requirement, answer]));
  const labels = option.intake_requirements.map(({ label }) => label);
  return {
    service_family: family.id,
    service_type: option.id,
    customer_title: session?.customer_title ?? session?.intent_brief?.customer_title ?? option.name,
    customer_instructions: composeInstructions(labels, answers, session?.words ?? '') || option.name,
    ...optionalOf(session),
    ...(session && session.file_ids.length > 0 ? { file_ids: session.file_ids } : {}),
  };
}
