import type { ServerResponse } from 'node:http';
import type { CallerOf } from './caller.ts';
import { Refusal } from './refusal.ts';

type Caller = CallerOf<'caller' | 'desk'>;

/** A request that waits for something to happen before it is answered. */
export type Wait = {
  /** The caller has hung up or may no longer ask, or the process stops. */
  ended: AbortSignal;
  /** The answer is ready. Refuses it to a caller whose credential has ended meanwhile. */
  finish(): void;
};

export type Waits = {
  begin(caller: Caller, response: ServerResponse): Wait;
  /** Whose requests wait. */
  callers(): Caller[];
  /** Ends the waits of these callers, who are refused. */
  end(isEnded: (caller: Caller) => boolean): void;
  /** Ends all waits, which are answered with what there is, and those to come at once. */
  close(): void;
};

/** The requests of one process that wait. */
export function createWaits(): Waits {
  const waits = new Set<{ caller: Caller; ended: AbortController }>();
  let closed = false;
  return {
    begin(caller, response) {
      const ended = new AbortController();
      const wait = { caller, ended };
      if (closed) ended.abort();
      waits.add(wait);
      response.once('close', () => {
        if (waits.delete(wait)) ended.abort(); // else it is answered, and nobody listens
      });
      return {
        ended: ended.signal,
        finish() {
          waits.delete(wait);
          if (ended.signal.reason instanceof Refusal) throw ended.signal.reason;
        },
      };
    },
    callers: () => [...waits].map(({ caller }) => caller),
    end(isEnded) {
      for (const { caller, ended } of waits) if (isEnded(caller)) ended.abort(new Refusal('unauthenticated'));
    },
    close() {
      closed = true;
      for (const { ended } of waits) ended.abort();
    },
  };
}
