import { Box, Button, Group, VisuallyHidden } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { Loaded } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { type Output, useOperation } from '../api.ts';
import { read } from '../reads.ts';
import { useRead } from '../use-reads.ts';

type Side = 'customer' | 'studio';
type Notification = Output<'listNotifications'>['notifications'][number];

/** Older ones are in the export of the person's data. */
const shown = 30;

const line = '1px solid var(--line)';
const item = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  gap: '1px 12px',
  padding: '9px 14px 9px 24px',
  color: 'var(--second)',
  fontSize: 14,
  position: 'relative',
} as const;
const dot = {
  position: 'absolute',
  inset: '16px auto auto 10px',
  width: 7,
  height: 7,
  borderRadius: '50%',
  background: 'var(--accent)',
} as const;
const foot = { display: 'block', padding: '10px 14px', borderTop: line, fontSize: 13 };

type Props = { side: Side; unread: number; onLeave: () => void };

export function BellList({ side, unread, onLeave }: Props) {
  const list = useRead(read('listNotifications', { query: { side, limit: shown } }));
  const counted = useRef(unread);
  const { refetch } = list;
  useEffect(() => {
    if (counted.current === unread) return;
    counted.current = unread;
    // A read that is under way, as after a change, is enough.
    void refetch({ cancelRefetch: false });
  }, [unread, refetch]);
  const see = useOperation('readNotification');
  const navigate = useNavigate();
  const head = useRef<HTMLHeadingElement>(null);
  const open = ({ id, path, read_at }: Notification) => {
    if (read_at === null) see.mutate({ path: { id }, body: {} });
    onLeave();
    void navigate({ to: path });
  };
  return (
    <Loaded query={list} height={120}>
      {({ notifications }) => {
        const newest = notifications.find(({ read_at }) => read_at === null);
        return (
          <>
            <Group justify="space-between" mih={44} py={4} pl={14} pr={8} style={{ borderBottom: line }}>
              <Box component="h2" ref={head} tabIndex={-1} fz={14}>
                Notifications
              </Box>
              {newest && (
                <Button
                  variant="subtle"
                  size="xs"
                  h={28}
                  loading={see.isPending}
                  onClick={() => {
                    // The button goes with the last unread one, and Escape closes only what has the focus.
                    head.current?.focus();
                    see.mutate({ path: { id: newest.id }, body: { earlier: true } });
                  }}
                >
                  Mark all as seen
                </Button>
              )}
            </Group>
            {notifications.length === 0 ? (
              <Box component="p" className="second" px={14} py={20}>
                Nothing yet. What concerns you appears here.
              </Box>
            ) : (
              <Box component="ul" mah="min(60vh, 480px)" style={{ overflowY: 'auto' }}>
                {notifications.map((notification) => (
                  <Item key={notification.id} {...notification} onOpen={() => open(notification)} />
                ))}
              </Box>
            )}
            <a style={foot} href={customerPages.settings}>
              Choose what is mailed
            </a>
          </>
        );
      }}
    </Loaded>
  );
}

const Item = ({ path, title, about, words, read_at, created_at, onOpen }: Notification & { onOpen: () => void }) => (
  <li>
    <a
      href={path}
      className="bell-item"
      style={item}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onOpen();
      }}
    >
      {read_at === null && <span style={dot} />}
      <Box component="span" c="var(--ink)" fw={read_at === null ? 600 : 400}>
        {title}
        {read_at === null && <VisuallyHidden> (unread)</VisuallyHidden>}
      </Box>
      <Time at={created_at} />
      <span className="small breaks" style={{ gridColumn: '1 / -1' }}>
        {about}
      </span>
      {words && (
        <span className="small one-line" style={{ gridColumn: '1 / -1' }} dir="auto">
          <bdi className="ink">{words.author}</bdi>: {words.text}
        </span>
      )}
    </a>
  </li>
);
