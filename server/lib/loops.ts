/** What a process does again and again until it stops. Each comes round within a minute or two. */
export type LoopName =
  | 'database'
  | 'tasks'
  | 'posters'
  | 'storage'
  | 'mails'
  | 'deliveries_queue'
  | 'deliveries_send'
  | 'deliveries_record'
  | 'events'
  | 'listener'
  | 'catalog'
  | 'credentials'
  | 'streams';

/** Seconds without success after which a loop is late. */
const lateAfter = 180;

/** When each loop of this process last did its work without a fault. Before that, when it began. */
export class Loops {
  readonly #succeededAt = new Map<LoopName, number>();

  succeeded(name: LoopName, secondsAgo = 0): void {
    const at = performance.now() - secondsAgo * 1000;
    this.#succeededAt.set(name, Math.max(at, this.#succeededAt.get(name) ?? at));
  }

  /** Seconds since then. A loop that was never started is left out. */
  ages(): Partial<Record<LoopName, number>> {
    const now = performance.now();
    return Object.fromEntries(Array.from(this.#succeededAt, ([name, at]) => [name, (now - at) / 1000]));
  }

  late(): string[] {
    return Object.entries(this.ages()).flatMap(([name, age]) => (age > lateAfter ? [name] : []));
  }
}
