import { useEffect } from 'react';
import { Skeleton } from '@mantine/core';
import { type IntakeSession, operationQuery, queryClient, useOperation } from '../../app/api.ts';
import { useAddress } from '../../ui/page/address.ts';
import { Failure } from '../../ui/page/failure.tsx';

type Props = { session: IntakeSession; family: string; type: string };

/** Gives a draft the service that was chosen for it. */
export function ChangeService({ session: { id }, family, type }: Props) {
  const [, setAddress] = useAddress<'family' | 'type' | 'choose'>();
  const change = useOperation('updateIntake');
  const run = () =>
    change.mutate(
      { path: { id }, body: { service_family: family, service_type: type } },
      {
        onSuccess: (changed) => {
          queryClient.setQueryData(operationQuery('readIntake', { path: { id } }).queryKey, changed);
          setAddress({ family: undefined, type: undefined, choose: undefined });
        },
      },
    );
  // oxlint-disable-next-line react/exhaustive-deps -- once
  useEffect(run, []);
  if (change.error) return <Failure error={change.error} retry={run} />;
  return <Skeleton height={240} aria-label="Loading" />;
}
