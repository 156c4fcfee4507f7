/** For `node --import`: the clock of this process is off by SKEW_SECONDS. */
const skew = Number(process.env.SKEW_SECONDS) * 1000;
const Right = Date;
globalThis.Date = class extends Right {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [Right.now() + skew] : given) as [number]));
  }
  static override now = () => Right.now() + skew;
} as DateConstructor;
