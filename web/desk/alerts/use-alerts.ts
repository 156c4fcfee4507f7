import { useMemo, useState } from 'react';
import type { Output } from '../../app/api.ts';
import { useRead } from '../../app/use-reads.ts';
import { notify } from '../../ui/page/page.tsx';
import { newsRead } from '../frame.reads.ts';

export type Alert = Output<'listNotifications'>['notifications'][number];

/** Milliseconds. An older alert is only behind the bell. */
const lasts = 3_600_000;

/** When the newest notification was made that the page read when it was opened. */
let opened: string | undefined;

/** Unseen notifications about jobs since then, newest first. New messages are counted apart. */
export function useAlerts(enabled = true): Alert[] | undefined {
  const { data } = useRead(newsRead, { enabled });
  return useMemo(() => {
    if (data) opened ??= data.notifications[0]?.created_at ?? '';
    return data?.notifications.filter(isAlert);
  }, [data]);
}

const isAlert = ({ kind, job_id, read_at, created_at }: Alert) =>
  (job_id !== null || kind === 'unheld_due') &&
  kind !== 'customer_message' &&
  read_at === null &&
  created_at > (opened ?? '') &&
  Date.parse(created_at) > Date.now() - lasts;

const setting = 'atelier-notifications';
const isChosen = () => localStorage.getItem(setting) === 'on';

const permission = (): NotificationPermission | 'missing' =>
  'Notification' in window ? Notification.permission : 'missing';

/** Nothing without the person's choice. */
export function showNotification(title: string, body: string, key: string, onClick: () => void): void {
  if (!isChosen() || permission() !== 'granted') return;
  const shown = open(title, body, key);
  shown?.addEventListener('click', () => {
    window.focus();
    shown.close();
    onClick();
  });
}

/** Some phones have the interface, but refuse a page without a service worker. */
function open(title: string, body: string, key: string): Notification | null {
  try {
    return new Notification(title, { body, tag: `atelier ${key}` });
  } catch {
    return null;
  }
}

/** The choice of this browser. The browser asks its user only when the person chooses it. */
export function useNotifications() {
  const [on, setOn] = useState(() => isChosen() && permission() === 'granted');
  const set = (next: boolean) => {
    localStorage.setItem(setting, next ? 'on' : 'off');
    setOn(next);
  };
  const turnOn = async (): Promise<void> => {
    if ((await Notification.requestPermission()) !== 'granted')
      return notify('The browser does not allow notifications of this page. Its settings decide.');
    if (!open('Alerts are on', 'You are told here while the desk is in the background.', 'on'))
      return notify('This browser cannot show notifications of a page.');
    set(true);
  };
  return { possible: permission() !== 'missing', on, change: (next: boolean) => void (next ? turnOn() : set(false)) };
}
