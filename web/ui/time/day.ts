const utcSetting = 'atelier-utc';
let utc = localStorage.getItem(utcSetting) === 'on';

export const isUtc = (): boolean => utc;

export function setUtc(on: boolean): void {
  utc = on;
  localStorage.setItem(utcSetting, on ? 'on' : 'off');
}

/** Midnight in the displayed zone, `later` days after it. */
export function startOfDay(at: number | string, later = 0): number {
  const date = new Date(at);
  if (!utc) return new Date(date.getFullYear(), date.getMonth(), date.getDate() + later).getTime();
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + later);
}

/** A day (`2026-11-22`) as a time bound in the displayed zone. Undefined if it is not a day. */
export function boundOfDay(day: string | undefined, later = 0): string | undefined {
  const noon = Date.parse(/^\d{4}-\d\d-\d\d$/.test(day ?? '') ? `${day}T12:00${utc ? 'Z' : ''}` : '');
  return Number.isNaN(noon) ? undefined : new Date(startOfDay(noon, later)).toISOString();
}
