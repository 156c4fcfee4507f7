import { ActionIcon, Popover } from '@mantine/core';
import { IconBell } from '../../ui/look/icons.ts';
import { useState } from 'react';
import { part } from '../../ui/page/part.tsx';
import { api } from '../api.ts';
import { readAnew } from '../live/live.ts';
import type { Read } from '../reads.ts';
import { useRead } from '../use-reads.ts';

const BellList = part(() => import('./bell-list.tsx'), 'BellList');

/** Tabs share a person: what was seen in one is seen in all. */
const tabs = new BroadcastChannel('atelier-seen');
const readBell = () =>
  void readAnew(({ operation }) => operation === 'countNotifications' || operation === 'listNotifications');
tabs.addEventListener('message', readBell);

/** Not a mutation, which would read the whole page again. The next look repairs one that failed. */
export async function seeJob(job_id: string): Promise<void> {
  await api.readJobNotifications({ body: { job_id } }).catch(() => null);
  readBell();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  tabs.postMessage('seen');
}

type Side = 'customer' | 'studio';

/** Milliseconds. What no stream tells, such as a sign-in, is seen at the latest after this time. */
const lookEvery = 60_000;

const bubble = {
  position: 'absolute',
  top: 2,
  right: 1,
  minWidth: 16,
  padding: '0 4px',
  borderRadius: 8,
  lineHeight: '16px',
  background: 'var(--accent)',
  color: 'var(--on-accent)',
  fontSize: 10.5,
  fontWeight: 600,
} as const;

/** What the person was told and has not seen. */
export function Bell({ side, count }: { side: Side; count: Read<'countNotifications'> }) {
  const [open, setOpen] = useState(false);
  const unread = useRead(count, { refetchInterval: lookEvery }).data?.unread ?? 0;
  const shown = unread > 99 ? '99+' : String(unread);
  const label = unread > 0 ? `Notifications, ${shown} unread` : 'Notifications';
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={360} trapFocus returnFocus shadow="none">
      <Popover.Target>
        <ActionIcon
          ml="auto"
          flex="none"
          size={38}
          aria-label={label}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <IconBell size={19} stroke={1.7} />
          {unread > 0 && (
            <span className="numbers" style={bubble}>
              {shown}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={0} maw="calc(100vw - 16px)">
        {open && <BellList side={side} unread={unread} onLeave={() => setOpen(false)} />}
      </Popover.Dropdown>
    </Popover>
  );
}
