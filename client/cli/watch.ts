import type { Atelier } from '../atelier.ts';
import type { Command, Io } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { type Forward, forwardingOf } from './forward.ts';
import { showQuestions } from './messages.ts';
import { connect } from './profile.ts';
import { print, printJson, printMessage } from './terminal.ts';

export const watch: Command = {
  name: 'watch',
  args: '[job]',
  summary: 'follow a job until it needs you or has ended, or the whole account until you stop it',
  options: {
    'forward-to': { value: 'URL', description: 'post each event to this address, signed as a webhook; needs --secret' },
    secret: { value: 'WHSEC', description: 'secret that your receiver verifies with; any whsec_… of yours' },
  },
  examples: [
    'atelier watch job_01…',
    'atelier watch --json',
    'atelier watch --forward-to http://localhost:8787/hooks --secret whsec_…',
  ],
  async run(input, io) {
    const { connection, json } = input;
    const [id] = input.args;
    const forward = forwardingOf(io, input.text('forward-to'), input.text('secret'));
    const atelier = await connect(connection);
    if (id !== undefined) return follow(io, atelier, id, { json, forward });
    for await (const event of atelier.events()) {
      show(io, event, json);
      await forward(event);
    }
    return exitCodes.done;
  },
};

/** `next_action` of the API contains requests instead of commands. */
export const howToFollow = (id: string): string =>
  `Follow it with "atelier watch ${id}". Then approve the work, or ask for changes.`;

type Following = { json: boolean; forward?: Forward };

/** Prints events until the studio asks a question, or the job is ready for review or has ended. */
export async function follow(io: Io, atelier: Atelier, id: string, { json, forward }: Following): Promise<number> {
  const { events: pastEvents, job } = await atelier.readJob({ path: { id } });
  const last = pastEvents.at(-1)?.seq ?? 0; // earlier deliveries have since been revised, earlier questions answered
  for await (const event of atelier.events({ after: 0, jobId: id })) {
    show(io, event, json);
    await forward?.(event);
    const { seq, status } = event.job ?? { seq: 0, status: 'queued' };
    if (seq < last) continue;
    const mayWait = seq === last ? job.waiting_on !== null : event.type === 'job.question_asked';
    if (mayWait && (await showOpen(io, atelier, id))) return exitCodes.notDone;
    if (status === 'rejected' || status === 'canceled') return exitCodes.notDone;
    if (status === 'ready_for_customer_review' || status === 'completed') return exitCodes.done;
  }
  return exitCodes.notDone;
}

/** Tells the open questions; false where somebody has answered them meanwhile. */
async function showOpen(io: Io, atelier: Atelier, id: string): Promise<boolean> {
  const { job } = await atelier.readJob({ path: { id } });
  if (job.waiting_on === null) return false;
  await showQuestions(atelier, id, (line) => printMessage(io, line));
  return true;
}

type Shown = { created_at: string; type: string; message: string };

function show(io: Io, event: Shown, json: boolean): void {
  if (json) printJson(io, event);
  else print(io, `${event.created_at}  ${event.type}  ${event.message}`);
}
