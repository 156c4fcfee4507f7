import { setTimeout as sleep } from 'node:timers/promises';
import type { Plan } from '../server/catalog/catalog.ts';
import { day } from '../test/support/recorded-stripe.ts';
import type { Session, StripeEvent } from '../test/support/stripe-events.ts';
import { type History, histories, playHistory } from '../test/support/stripe-histories.ts';
import type { StripeEmulator } from './stripe-emulator.ts';

/** Ends the process with the list of histories if there is none of this name. */
export function findHistory(name: string | undefined): History {
  const history = histories.find((each) => each.name === name);
  if (history) return history;
  const width = Math.max(...histories.map((each) => each.name.length));
  const lines = histories.map((each) => `  ${each.name.padEnd(width)}  ${each.about}\n`).join('');
  const out = name === undefined ? process.stdout : process.stderr;
  out.write(`${name === undefined ? '' : `There is no history ${name}. `}Choose one:\n\n${lines}`);
  process.exit(name === undefined ? 0 : 1);
}

type Pace = { pause?: number };

/** Sends the events of a history one after another, and says what the service answers. */
export async function rehearse(
  emulator: Pick<StripeEmulator, 'deliver'>,
  history: History,
  session: Session,
  plans: readonly Plan[],
  say: (line: string) => void,
  { pause = 2000 }: Pace = {},
): Promise<void> {
  const start = Math.floor(Date.now() / 1000);
  const { steps, moments } = playHistory(history, session, plans, { start });
  const squeeze = squeezedTime([...new Set(steps.map(({ at }) => at))], pause / 1000);
  say(`\n${session.customer} plays ${history.name}`);
  for (const [index, { at, event }] of steps.entries()) {
    await sleep(Math.max(squeeze(at) * 1000 - Date.now(), 0));
    const label = `day ${Math.floor((at - start) / day)}`.padEnd(8);
    say(`  ${label}${describe(event).padEnd(48)}${await answerTo(emulator, withTimes(event, squeeze))}`);
    for (const { name, events } of moments.filter((moment) => moment.at <= (steps.at(-1)?.at ?? 0)))
      if (events === index + 1) say(`          = ${name}`);
  }
  say(`${session.customer} is through`);
}

function describe({ type, data }: StripeEvent): string {
  const { status } = data.object as { status?: string };
  return status === undefined ? type : `${type} (${status})`;
}

async function answerTo({ deliver }: Pick<StripeEmulator, 'deliver'>, event: object): Promise<string> {
  try {
    const answer = await deliver(event);
    const { status, error } = (await answer.json()) as { status?: string; error?: { code: string } };
    return `${answer.status} ${status ?? error?.code}`;
  } catch (error) {
    return `not delivered: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/**
 * Months pass in seconds, so that at each step the service's clock stands where the history does. From the
 * last step on, times keep their distance.
 */
function squeezedTime(times: readonly number[], pause: number): (time: number) => number {
  const [first = 0] = times;
  return (time) => {
    const next = times.findIndex((step) => step > time);
    if (next === 0) return time;
    const passed = next === -1 ? times.length - 1 : next - 1;
    const before = times[passed] ?? first;
    const after = times[next];
    const share = after === undefined ? time - before : (pause * (time - before)) / (after - before);
    return Math.floor(first + passed * pause + share);
  };
}

/** No amount is as large as a time. */
const withTimes = (event: StripeEvent, squeeze: (time: number) => number): object =>
  JSON.parse(JSON.stringify(event), (_, value: unknown) =>
    typeof value === 'number' && value > 1_000_000_000 ? squeeze(value) : value,
  ) as object;
