const short = (value: unknown): string => {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/g, ' ');
  return text.length > 110 ? `${text.slice(0, 107)}…` : text;
};

export const told = { steps: 0 };
/** A step: what is done, what was sent for it, and what came back. */
export function tell(what: string, sent: string, came: unknown): void {
  told.steps++;
  process.stdout.write(
    `${String(told.steps).padStart(2)}. ${what.padEnd(34)} ${sent}\n${' '.repeat(38)} → ${short(came)}\n`,
  );
}

/** Ends the demo where an answer is another one. */
export function must(held: boolean, what: string): asserts held {
  if (!held) throw new Error(what);
}
