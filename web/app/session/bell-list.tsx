import { Button, VisuallyHidden } from '@mantine/core';
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
            <div className="bell-head">
              <h2 ref={head} tabIndex={-1}>
                Notifications
              </h2>
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
            </div>
            {notifications.length === 0 ? (
              <p className="second bell-empty">Nothing yet. What concerns you appears here.</p>
            ) : (
              <ul className="bell-list">
                {notifications.map((notification) => (
                  <li key={notification.id}>
                    <a
                      href={notification.path}
                      className={notification.read_at === null ? 'bell-item unread' : 'bell-item'}
                      onClick={(event) => {
                        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                        event.preventDefault();
                        open(notification);
                      }}
                    >
                      <span className="bell-title">
                        {notification.title}
                        {notification.read_at === null && <VisuallyHidden> (unread)</VisuallyHidden>}
                      </span>
                      <Time at={notification.created_at} />
                      <span className="bell-about">{notification.about}</span>
                    </a>
                  </li>
                ))}
              </ul>
            )}
            <a className="bell-foot" href={customerPages.settings}>
              Choose what is mailed
            </a>
          </>
        );
      }}
    </Loaded>
  );
}
