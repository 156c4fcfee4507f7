import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { deskPages } from '../../../contract/pages.ts';
import { queryClient, useOperation } from '../../app/api.ts';
import type { View } from '../../app/session/session.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { sayClock, useUtc } from '../../ui/time/time.tsx';

/** On all pages while an operator views the account. */
export function ViewBanner({ view: { account, viewed_until: until } }: { view: View }) {
  useUtc();
  const back = () => location.assign(pathTo(deskPages.account, { id: account.id }));
  const stop = useOperation('endAccountView');
  useEffect(() => {
    const over = setTimeout(
      () => void queryClient.invalidateQueries({ queryKey: ['readSession'] }),
      Date.parse(until) - Date.now() + 500,
    );
    return () => clearTimeout(over);
  }, [until]);
  return (
    <div className="view-banner" role="status">
      <span>
        You are viewing{' '}
        <strong>
          <bdi>{account.name}</bdi>
        </strong>{' '}
        as its owner would see it. Read only. Ends {sayClock(until)}.
      </span>
      <Button
        variant="default"
        size="xs"
        loading={stop.isPending}
        onClick={() => stop.mutate({ path: { id: account.id } }, { onSettled: back })}
      >
        Stop
      </Button>
    </div>
  );
}
