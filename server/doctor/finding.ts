export type Status = 'ok' | 'warn' | 'fail';

/** What a check has seen: one sentence, and what to do about it. Nothing to do: null. */
export type Finding = { status: Status; sentence: string; action: string | null };

export const ok = (sentence: string): Finding => ({ status: 'ok', sentence, action: null });
export const warn = (sentence: string, action: string): Finding => ({ status: 'warn', sentence, action });
export const fail = (sentence: string, action: string): Finding => ({ status: 'fail', sentence, action });

/** `3 jobs`, `1 job`. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
