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
  position: 'relative',
} as const;

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
                  <li key={notification.id}>
                    <a
                      href={notification.path}
                      className={notification.read_at === null ? 'bell-item unread' : 'bell-item'}
                      style={item}
                      onClick={(event) => {
                        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                        event.preventDefault();
                        open(notification);
                      }}
                    >
                      <Title isUnread={notification.read_at === null}>{notification.title}</Title>
                      <Time at={notification.created_at} />
                      <span className="small breaks" style={{ gridColumn: '1 / -1' }}>
                        {notification.about}
                      </span>
                    </a>
                  </li>
                ))}
              </Box>
            )}
            <Box
              component="a"
              display="block"
              px={14}
              py={10}
              fz={13}
              style={{ borderTop: line }}
              href={customerPages.settings}
            >
              Choose what is mailed
            </Box>
          </>
        );
      }}
    </Loaded>
  );
}

const Title = ({ isUnread, children }: { isUnread: boolean; children: string }) => (
  <Box component="span" c="var(--ink)" fw={isUnread ? 600 : 400}>
    {isUnread && <Box component="span" pos="absolute" left={10} top={16} w={7} h={7} bdrs="50%" bg="var(--accent)" />}
    {children}
    {isUnread && <VisuallyHidden> (unread)</VisuallyHidden>}
  </Box>
);
