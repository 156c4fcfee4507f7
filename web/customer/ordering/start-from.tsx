import { type ReactNode, useEffect, useState } from 'react';
import { operationQuery, queryClient, useOperation } from '../../app/api.ts';
import { useAddress } from '../../ui/page/address.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { PageHead } from '../../ui/page/page.tsx';

type Props = { order: { job_id: string } | { template_id: string }; waiting: ReactNode };

/** Opens a draft with a copy of an earlier order or of a template, and goes on with it. */
export function StartFrom({ order, waiting }: Props) {
  const [, setAddress] = useAddress<'draft' | 'from' | 'template'>();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const open = useOperation('openIntake');
  const run = () =>
    open.mutate(
      { body: order, idempotencyKey },
      {
        onSuccess: (opened) => {
          const { id } = opened.intake_session;
          queryClient.setQueryData(operationQuery('readIntake', { path: { id } }).queryKey, opened);
          setAddress({ draft: id, from: undefined, template: undefined });
        },
      },
    );
  // oxlint-disable-next-line react/exhaustive-deps -- once
  useEffect(run, []);
  if (!open.error) return waiting;
  return (
    <>
      <PageHead title="New job" />
      <Failure error={open.error} retry={run} />
    </>
  );
}
