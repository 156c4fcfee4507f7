import { ActionIcon, Button } from '@mantine/core';
import { IconBell, IconX } from '../../ui/look/icons.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { deskPages } from '../../../contract/pages.ts';
import type { Alert } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { KeyHint, useShortcut } from '../../ui/shell/shortcuts.tsx';
import { alertWords } from './alert-words.ts';
import { keyOf } from './marks.ts';
import { useAlerts } from './use-alerts.ts';

const most = 3;
const pathOf = ({ job_id: id }: Alert) => pathTo(deskPages.job, { id });

/** What happened while the page was open or in the background. Each alert leads to its job. */
export function AlertToasts() {
  const { user } = useSession();
  const navigate = useNavigate();
  const open = useCallback((alert: Alert) => void navigate({ to: pathOf(alert) }), [navigate]);
  const { shown, close } = useAlerts(user.id, open);
  const [newest] = shown;
  const look = newest && (() => (close(newest), open(newest)));
  useShortcut('y', 'Look at the newest alert', look ?? null);
  const others = shown.length - most;
  return (
    <section aria-label="Alerts" aria-live="polite">
      {others > 0 && (
        <div className="toast">
          <span className="toast-words numbers">and {others} older</span>
          <Button className="toast-buttons" size="xs" h={28} variant="default" onClick={() => close(...shown)}>
            Close all
          </Button>
        </div>
      )}
      {shown
        .slice(0, most)
        .toReversed()
        .map((alert) => (
          <Toast key={keyOf(alert)} alert={alert} isNewest={alert === newest} onClose={close} />
        ))}
    </section>
  );
}

type ToastProps = { alert: Alert; isNewest: boolean; onClose: (alert: Alert) => void };

function Toast({ alert, isNewest, onClose }: ToastProps) {
  const close = () => onClose(alert);
  const stays = useClosing(close);
  return (
    <div className="toast" {...stays}>
      <IconBell size={17} stroke={1.7} aria-hidden />
      <span className="toast-words">
        <strong>{alertWords[alert.kind]}</strong>
        <span className="cell-second">
          <Link to={pathOf(alert)} className="ink" onClick={close}>
            {alert.customer_title}
          </Link>{' '}
          {alert.account.name}
        </span>
      </span>
      <span className="row toast-buttons">
        {isNewest && <KeyHint>y</KeyHint>}
        <ActionIcon onClick={close} aria-label="Close the alert">
          <IconX size={16} />
        </ActionIcon>
      </span>
    </div>
  );
}

/** Milliseconds after the first sign that somebody is there. */
const closeAfter = 10_000;
const signs = ['pointermove', 'pointerdown', 'keydown'] as const;

/** An alert waits until somebody is there, and then goes by itself. Whoever points at it keeps it. */
function useClosing(close: () => void) {
  const latest = useRef(close);
  latest.current = close;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = () => clearTimeout(timer.current);
  const begin = () => {
    stop();
    timer.current = setTimeout(() => latest.current(), closeAfter);
  };
  useEffect(() => {
    const isThere = new AbortController();
    const onSign = () => {
      isThere.abort();
      timer.current = setTimeout(() => latest.current(), closeAfter);
    };
    for (const sign of signs) addEventListener(sign, onSign, { signal: isThere.signal });
    return () => {
      isThere.abort();
      clearTimeout(timer.current);
    };
  }, []);
  return { onPointerEnter: stop, onPointerLeave: begin, onFocus: stop, onBlur: begin };
}
