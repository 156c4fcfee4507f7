/** How often statements of this process failed, by kind, since its start. */
export const databaseFaults = { statement_timeout: 0, no_answer: 0, lost_race: 0 };

/** A statement that lost a race (a deadlock, say) is not repeated: its request is answered 503. */
const kinds: Record<string, keyof typeof databaseFaults> = {
  '57014': 'statement_timeout',
  '40001': 'lost_race',
  '40P01': 'lost_race',
};

export function countFault({ code = '' }: Error & { code?: string }, gotNoAnswer: boolean): void {
  const kind = gotNoAnswer ? 'no_answer' : kinds[code];
  if (kind) databaseFaults[kind]++;
}
