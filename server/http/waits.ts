import type { ServerResponse } from 'node:http';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { CallerOf } from './caller.ts';
import { Refusal } from './refusal.ts';

type Caller = CallerOf<'caller' | 'desk'>;

export type Wait = {
  /** Aborted when the caller hangs up or loses access, or the process stops. */
  ended: AbortSignal;
  /** Ends the wait. Throws a refusal if the caller's credential has ended meanwhile. */
  finish(): void;
};

export type Waits = {
  /** Endpoints that answer at once get a wait that never ends and costs nothing. */
  begin(endpoint: Endpoint, caller: Caller, response: ServerResponse): Wait;
  callers(): Caller[];
  end(isEnded: (caller: Caller) => boolean): void;
  /** Ends all waits, current and future; they are answered with what there is. */
  close(): void;
};

const answeredAtOnce: Wait = { ended: new AbortController().signal, finish() {} };

export function createWaits(): Waits {
  const waits = new Set<{ caller: Caller; ended: AbortController }>();
  let closed = false;
  return {
    begin(endpoint, caller, response) {
      if (!endpoint.long) return answeredAtOnce;
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
