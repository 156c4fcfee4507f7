import type { Concierge, Turn } from './concierge.ts';
import { isRight } from './score.ts';
import { answerIn, containsWords, type Stranger } from './strangers.ts';

/**
 * `to`: the question the message replies to. null: the customer would have sent it anyway. `turn`: what the message
 * led to. `decided`: the same once the customer has accepted the right suggestions and dismissed the others.
 */
export type Step = { text: string; to: string | null; turn: Turn; decided: Turn };

/** A customer gives up after this many messages. */
const mostMessages = 40;

/** Holds the conversation as its customer would. */
export function play(concierge: Concierge, stranger: Stranger): Step[] {
  const [family] = stranger.service.split('/');
  const [opening, ...messages] = stranger.messages;
  const option = stranger.chosen?.split('/')[1] ?? null;
  const steps: Step[] = [];
  const take = (text: string, to: string | null, turn: Turn) =>
    steps.push({
      text,
      to,
      turn,
      decided: turn.decide((label, answer) => isRight(stranger, { to, text }, label, answer)),
    });
  take(opening!, null, concierge({ family: family!, option, message: opening! }));
  const lastWords = [...stranger.at_the_end];
  while (steps.length < mostMessages) {
    const last = steps.at(-1)!;
    const turn = last.decided.asks === 'open' ? (last.decided = last.decided.leaveOpen()) : last.decided;
    const unasked = messages.shift() ?? (turn.asks === null ? lastWords.shift() : undefined);
    if (unasked === undefined && turn.asks === null) break;
    const reply = unasked ?? replyTo(stranger, steps, turn.asks!);
    // Nobody gives the same reply to the same question three times: there is a button.
    const repeats = steps.filter(({ to, text }) => to === turn.asks && text === reply).length;
    const text = unasked === undefined && repeats > 1 ? 'You decide' : reply;
    take(text, unasked === undefined ? turn.asks : null, turn.say(text));
  }
  return steps;
}

/** The next reply to this question, else what the customer said about it before, else `otherwise`. */
function replyTo(stranger: Stranger, steps: Step[], question: string): string {
  const { when_asked, ends, labelled, prose, service, otherwise } = stranger;
  const replies = when_asked[question] ?? [];
  const end = ends[question];
  // Somebody who has taken something back does not say it again.
  if (end && steps.some(({ text }) => containsWords(text, end))) return end;
  const earlier = steps.filter(({ to }) => to === question).length;
  const last = replies.at(-1);
  const before = last === undefined ? (labelled[question] ?? prose[question]?.[0]) : answerIn(stranger, last) || null;
  const named = question === 'service' ? service.split('/')[1]!.replaceAll('_', ' ') : null;
  return replies[earlier] ?? named ?? ends[question] ?? before ?? otherwise;
}
