import type { ServerResponse } from 'node:http';
import type { CallerOf } from './request.ts';
import { Refusal } from './refusal.ts';

type Caller = CallerOf<'caller' | 'desk'>;

export type Wait = {
  /** Aborted when the caller hangs up or loses access, or the process stops. */
  ended: AbortSignal;
  /** Ends the wait. Throws a refusal if the caller's credential ended during the wait. */
  finish(): void;
};

export type Waits = {
  /** For endpoints that wait for something to happen; the others answer at once. */
  begin(caller: Caller, response: ServerResponse): Wait;
  callers(): Caller[];
  end(isEnded: (caller: Caller) => boolean): void;
  /** Ends all waits, current and future; they are answered with what there is. */
  close(): void;
};

/** For endpoints that answer at once: it is never aborted. */
export const endsNever = new AbortController().signal;

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
        if (waits.delete(wait)) ended.abort(); // already deleted means answered
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
