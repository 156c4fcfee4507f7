import { Refusal } from './refusal.ts';

/** Requests under way, by party. */
export type InFlight = {
  /** Throws `rate_limit_exceeded` if `most` are under way. Returns what ends this one. */
  begin(party: string, most: number): () => void;
};

export function createInFlight(): InFlight {
  const underWay = new Map<string, number>();
  return {
    begin(party, most) {
      const before = underWay.get(party) ?? 0;
      if (before >= most)
        throw new Refusal('rate_limit_exceeded', {
          message: `At most ${most} of these requests at a time by credential.`,
          retryAfterSeconds: 1,
        });
      underWay.set(party, before + 1);
      return () => {
        const now = (underWay.get(party) ?? 1) - 1;
        if (now > 0) underWay.set(party, now);
        else underWay.delete(party);
      };
    },
  };
}
