import { useState } from 'react';
import { notify } from '../../ui/page/notify.ts';

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
  const change = async (next: boolean): Promise<void> => {
    if (!next) return set(false);
    if ((await Notification.requestPermission()) !== 'granted')
      return notify('The browser does not allow notifications of this page. Its settings decide.');
    if (!open('Alerts are on', 'You are told here while the desk is in the background.', 'on'))
      return notify('This browser cannot show notifications of a page.');
    set(true);
  };
  return { possible: permission() !== 'missing', on, change: (next: boolean) => void change(next) };
}
