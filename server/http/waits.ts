import type { ServerResponse } from 'node:http';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { CallerOf } from './caller.ts';
import { Refusal } from './refusal.ts';

type Caller = CallerOf<'caller' | 'desk'>;

/** A request until it is answered. */
export type Wait = {
  /** The caller has hung up or may no longer ask, or the process stops. */
  ended: AbortSignal;
  /** The answer is ready. Refuses it to a caller whose credential has ended meanwhile. */
  finish(): void;
};

export type Waits = {
  /** Of an endpoint that answers at once it costs nothing and never ends. */
  begin(endpoint: Endpoint, caller: Caller, response: ServerResponse): Wait;
  /** Whose requests wait. */
  callers(): Caller[];
  /** Ends the waits of these callers, who are refused. */
  end(isEnded: (caller: Caller) => boolean): void;
  /** Ends all waits, which are answered with what there is, and those to come at once. */
  close(): void;
};

const answeredAtOnce: Wait = { ended: new AbortController().signal, finish() {} };

/** The requests of one process that wait. */
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
