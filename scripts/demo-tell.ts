const short = (value: unknown): string => {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/g, ' ');
  return text.length > 110 ? `${text.slice(0, 107)}…` : text;
};

export const progress = { steps: 0 };
/** Prints a step: what is done, the request and the answer. */
export function tell(what: string, sent: string, came: unknown): void {
  progress.steps++;
  process.stdout.write(
    `${String(progress.steps).padStart(2)}. ${what.padEnd(34)} ${sent}\n${' '.repeat(38)} → ${short(came)}\n`,
  );
}

/** Ends the demo at an unexpected answer. */
export function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}
