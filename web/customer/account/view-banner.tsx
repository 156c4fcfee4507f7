import { Box, Button } from '@mantine/core';
import { useEffect } from 'react';
import { deskPages } from '../../../contract/pages.ts';
import { queryClient, useOperation } from '../../app/api.ts';
import type { View } from '../../app/session/session.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { usePhone } from '../../ui/page/use-phone.ts';
import { sayClock, useUtc } from '../../ui/time/time.tsx';

type Props = { view: View; inShell?: boolean };

export function ViewBanner({ view: { account, viewed_until: until }, inShell = false }: Props) {
  useUtc();
  const phone = usePhone();
  const back = () => location.assign(pathTo(deskPages.account, { id: account.id }));
  const stop = useOperation('endAccountView');
  useEffect(() => {
    const reread = () => void queryClient.invalidateQueries({ queryKey: ['readSession'] });
    const over = setTimeout(reread, Date.parse(until) - Date.now() + 500);
    return () => clearTimeout(over);
  }, [until]);
  return (
    <Box
      className="row"
      pos="sticky"
      // Below the bar of the shell.
      top={phone && inShell ? 55 : 'var(--above)'}
      p={phone ? '8px 16px' : '8px 34px'}
      fz={13}
      c="var(--page)"
      bg="var(--ink)"
      style={{ zIndex: 5, gap: '4px 14px' }}
      role="status"
    >
      <Box component="span" flex="1 1 240px">
        You are viewing{' '}
        <strong>
          <bdi>{account.name}</bdi>
        </strong>{' '}
        as its owner would see it. Read only. Ends {sayClock(until)}.
      </Box>
      <Button
        variant="default"
        size="xs"
        loading={stop.isPending}
        onClick={() => stop.mutate({ path: { id: account.id } }, { onSettled: back })}
      >
        Stop
      </Button>
    </Box>
  );
}
