/** For `node --import`: shifts the clock of the process by SKEW_SECONDS. */
const skew = Number(process.env.SKEW_SECONDS) * 1000;
const Right = Date;
globalThis.Date = class extends Right {
  constructor(...parts: unknown[]) {
    super(...((parts.length === 0 ? [Right.now() + skew] : parts) as [number]));
  }
  static override now = () => Right.now() + skew;
} as DateConstructor;
