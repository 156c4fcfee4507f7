import type { Alert } from '../../app/api.ts';

/** What this browser knows of a person's alerts. All its tabs share it. */
export type Marks = {
  /** Where the next read begins. */
  raisedAfter: string;
  /** When a tab last read, in milliseconds. */
  readAt: number;
  /** When each alert was announced, in milliseconds. */
  announced: Record<string, number>;
  /** Those that no tab has shown yet. */
  unseen: Alert[];
};

type Answer = { alerts: Alert[]; read_until: string };

/** The service looks back a day at most. */
const forgetAfter = 2 * 86_400_000;
const mostUnseen = 50;

export const keyOf = ({ kind, job_id, raised_at }: Alert): string => `${kind} ${job_id} ${raised_at}`;

/** The marks after an answer, and what in it was never announced before. */
export function afterRead(before: Marks | null, { alerts, read_until: raisedAfter }: Answer, now: number) {
  const announced = Object.fromEntries(
    Object.entries(before?.announced ?? {}).filter(([, at]) => at > now - forgetAfter),
  );
  const fresh = alerts.filter((alert) => announced[keyOf(alert)] === undefined);
  for (const alert of fresh) announced[keyOf(alert)] = now;
  const unseen = [...fresh, ...(before?.unseen ?? [])].slice(0, mostUnseen);
  return { fresh, marks: { raisedAfter, readAt: now, announced, unseen } satisfies Marks };
}
