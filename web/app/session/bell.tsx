import { ActionIcon, Popover } from '@mantine/core';
import { IconBell } from '../../ui/look/icons.ts';
import { Suspense, useState } from 'react';
import { part } from '../../ui/page/part.tsx';
import type { Read } from '../reads.ts';
import { useRead } from '../use-reads.ts';
import './bell.css';

const BellList = part(() => import('./bell-list.tsx'), 'BellList');

type Side = 'customer' | 'studio';

/** Milliseconds. What no stream tells, such as a sign-in, is seen at the latest after this time. */
const lookEvery = 60_000;

/** What the person was told and has not seen. */
export function Bell({ side, count }: { side: Side; count: Read<'countNotifications'> }) {
  const [open, setOpen] = useState(false);
  const unread = useRead(count, { refetchInterval: lookEvery }).data?.unread ?? 0;
  const label = unread > 0 ? `Notifications, ${unread} unread` : 'Notifications';
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={360} trapFocus returnFocus shadow="none">
      <Popover.Target>
        <ActionIcon
          className="bell"
          size={38}
          aria-label={label}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <IconBell size={19} stroke={1.7} />
          {unread > 0 && <span className="bell-count numbers">{unread > 99 ? '99+' : unread}</span>}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className="bell-box">
        <Suspense fallback={null}>
          {open && <BellList side={side} unread={unread} onLeave={() => setOpen(false)} />}
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
