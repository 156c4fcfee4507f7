import { useEffect, useState } from 'react';
import { api, type Alert } from '../../app/api.ts';
import { onChange } from '../live.ts';
import { alertWords } from './alert-words.ts';
import { afterRead, keyOf, type Marks } from './marks.ts';
import { showNotification } from './notifications.ts';
import { readMarks, writeMarks } from './stored-marks.ts';

/** Milliseconds in which changes are gathered. A tab in view is first, so that it shows what is new. */
const [inView, inBackground] = [700, 2_000];
/** Milliseconds between two looks without a change: due dates pass without one. */
const lookEvery = 30_000;

const isInView = () => document.visibilityState === 'visible';
const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** One tab at a time, so that an alert is told once. */
const alone = <Result>(work: () => Promise<Result>): Promise<Result> => navigator.locks.request('atelier-alerts', work);

/** Alerts that this tab shows. They are read by one tab for all, and shown by the first that is in view. */
export function useAlerts(userId: string, open: (alert: Alert) => void) {
  const [shown, setShown] = useState<Alert[]>([]);
  useEffect(() => {
    let neededFrom: number | null = null;
    /** Reads, unless a tab has read since this time. */
    const look = async (from: number): Promise<void> => {
      const isWaiting = neededFrom !== null;
      neededFrom = Math.max(neededFrom ?? 0, from);
      if (isWaiting) return;
      await wait(isInView() ? inView : inBackground);
      const needed = neededFrom;
      neededFrom = null;
      const alerts = await alone(() => readAndTake(userId, needed, open)).catch(() => []); // The next look finds them.
      if (alerts.length > 0) setShown((before) => [...alerts, ...before]);
    };
    const onEntry = () => void look(Date.now());
    const occasionally = () => void look(Date.now() - lookEvery);
    const onReturn = () => isInView() && occasionally();
    const timer = setInterval(occasionally, lookEvery);
    onChange.add(onEntry);
    document.addEventListener('visibilitychange', onReturn);
    onEntry();
    return () => {
      clearInterval(timer);
      onChange.delete(onEntry);
      document.removeEventListener('visibilitychange', onReturn);
    };
  }, [userId, open]);
  const close = (...alerts: Alert[]) => setShown((before) => before.filter((alert) => !alerts.includes(alert)));
  return { shown, close };
}

/** In view: what this tab shows now. In the background: nothing, but notifications. */
async function readAndTake(userId: string, from: number, open: (alert: Alert) => void): Promise<Alert[]> {
  const before = readMarks(userId);
  const fresh = (before?.readAt ?? 0) < from ? await readFresh(userId, before) : [];
  if (isInView()) {
    const waiting = before ? await stillTrue(before.unseen) : [];
    const marks = readMarks(userId);
    if (marks && marks.unseen.length > 0) writeMarks(userId, { ...marks, unseen: [] });
    return [...fresh, ...waiting];
  }
  for (const alert of fresh)
    showNotification(alertWords[alert.kind], `${alert.customer_title} · ${alert.account.name}`, keyOf(alert), () =>
      open(alert),
    );
  return [];
}

async function readFresh(userId: string, before: Marks | null): Promise<Alert[]> {
  const answer = await api.readAlerts(before ? { query: { raised_after: before.raisedAfter } } : {});
  const { marks, fresh } = afterRead(before, answer, Date.now());
  writeMarks(userId, marks);
  return fresh;
}

/** Somebody may come back after hours. */
async function stillTrue(unseen: Alert[]): Promise<Alert[]> {
  if (unseen.length === 0) return [];
  const oldest = Math.min(...unseen.map(({ raised_at }) => Date.parse(raised_at)));
  const { alerts } = await api.readAlerts({ query: { raised_after: new Date(oldest - 1).toISOString() } });
  const present = new Set(alerts.map(keyOf));
  return unseen.filter((alert) => present.has(keyOf(alert)));
}
