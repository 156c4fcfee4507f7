import { ActionIcon, Button } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { IconBell, IconX } from '../../ui/look/icons.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useOperation } from '../../app/api.ts';
import { useWide } from '../../ui/page/use-phone.ts';
import { KeyHint, useShortcut } from '../../ui/shell/shortcuts.tsx';
import { type Alert, showNotification, useAlerts } from './use-alerts.ts';

/** A phone has room for one above its rows. */
const most = { wide: 3, phone: 1 };

/** Unseen notifications about jobs. What is closed here is seen behind the bell, too. */
export function AlertToasts() {
  const alerts = useAlerts();
  const [closed, setClosed] = useState<readonly Alert[]>([]);
  const see = useOperation('readNotification');
  const close = (...seen: Alert[]) => {
    setClosed((before) => [...before, ...seen]);
    for (const { id } of seen) see.mutate({ path: { id }, body: {} });
  };
  const navigate = useNavigate();
  const open = useCallback(({ path }: Alert) => void navigate({ to: path }), [navigate]);
  const unseen = useTurn() ? (alerts ?? []) : [];
  useAnnouncement(alerts, open);
  const shown = unseen.filter(({ id }) => !closed.some((alert) => alert.id === id));
  const [newest] = shown;
  const look = newest && (() => (close(newest), open(newest)));
  useShortcut('y', 'Look at the newest alert', look ?? null);
  const wide = useWide();
  const room = wide ? most.wide : most.phone;
  const others = shown.length - room;
  return (
    <section aria-label="Alerts" aria-live="polite">
      {wide && others > 0 && (
        <div className="toast">
          <span className="numbers">and {others} older</span>
          <Button className="toast-buttons" size="xs" h={28} variant="default" onClick={() => close(...shown)}>
            Close all
          </Button>
        </div>
      )}
      {shown
        .slice(0, room)
        .toReversed()
        .map((alert) => (
          <Toast
            key={alert.id}
            alert={alert}
            isNewest={alert === newest}
            others={wide ? 0 : others}
            onClose={() => close(alert)}
            onCloseAll={() => close(...shown)}
          />
        ))}
    </section>
  );
}

const lock = 'atelier-alerts';

/** Whether this tab shows alerts: one of those in view does. */
function useTurn(): boolean {
  const isInView = useDocumentVisibility() === 'visible';
  const [isTurn, setTurn] = useState(false);
  useEffect(() => {
    if (!isInView) return;
    const end = new AbortController();
    const untilEnd = () =>
      new Promise<void>((resolve) => {
        setTurn(true);
        end.signal.addEventListener('abort', () => resolve());
      });
    navigator.locks.request(lock, { signal: end.signal }, untilEnd).catch(() => {
      // Left the view before its turn.
    });
    return () => {
      end.abort();
      setTurn(false);
    };
  }, [isInView]);
  return isTurn;
}

/** While no tab is in view, the browser announces new alerts, each once for all tabs. */
function useAnnouncement(alerts: Alert[] | undefined, open: (alert: Alert) => void) {
  const earlier = useRef<Alert[]>(undefined);
  useEffect(() => {
    const isNew = ({ id }: Alert) => earlier.current?.every((alert) => alert.id !== id) ?? false;
    const fresh = alerts?.filter(isNew) ?? [];
    earlier.current = alerts;
    if (fresh.length === 0 || document.visibilityState === 'visible') return;
    void navigator.locks.request(lock, { ifAvailable: true }, (isFree) => {
      if (isFree) for (const alert of fresh) showNotification(alert.title, alert.about, alert.id, () => open(alert));
    });
  }, [alerts, open]);
}

type ToastProps = {
  alert: Alert;
  isNewest: boolean;
  /** That are not shown, and closed with it. */
  others: number;
  onClose: () => void;
  onCloseAll: () => void;
};

function Toast({ alert, isNewest, others, onClose, onCloseAll }: ToastProps) {
  return (
    <div className="toast" {...useClosing(onClose)}>
      <IconBell size={17} stroke={1.7} aria-hidden />
      <span>
        <strong>{alert.title}</strong>
        {others > 0 && <span className="second numbers"> and {others} older</span>}
        <span className="cell-second">
          <Link to={alert.path} className="ink" onClick={onClose}>
            {alert.about}
          </Link>
        </span>
      </span>
      <span className="row toast-buttons">
        {isNewest && <KeyHint>y</KeyHint>}
        <ActionIcon
          onClick={others > 0 ? onCloseAll : onClose}
          aria-label={others > 0 ? 'Close all alerts' : 'Close the alert'}
        >
          <IconX size={16} />
        </ActionIcon>
      </span>
    </div>
  );
}

/** Milliseconds after the first sign that somebody is there. */
const closeAfter = 10_000;
const signs = ['pointermove', 'pointerdown', 'keydown'] as const;

/** An alert stays until somebody is there, then closes after a while. Pointer or focus on it keep it open. */
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
