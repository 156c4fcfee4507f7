import type { Atelier } from '../atelier.ts';
import { type Command, exitCodes, type Io } from './command.ts';
import { type Forward, forwardingOf } from './forward.ts';
import { showQuestions } from './messages.ts';
import { connect } from './profile.ts';
import { print, printJson, printMessage } from './terminal.ts';

export const watch: Command = {
  name: 'watch',
  args: '[job]',
  summary: 'follow a job from where it stands until it needs you or has ended, or the whole account until you stop it',
  options: {
    all: { description: 'of a job: begin with its first event' },
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
    if (id !== undefined) return follow(io, atelier, id, { json, forward, all: input.flag('all') });
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

type Following = { json: boolean; forward?: Forward; all?: boolean };

/** Prints the last event and each new one until the studio asks, the job is ready for review or has ended. */
export async function follow(io: Io, atelier: Atelier, id: string, { json, forward, all }: Following): Promise<number> {
  const { events: pastEvents, job } = await atelier.readJob({ path: { id } });
  const last = pastEvents.at(-1)?.seq ?? 0; // earlier deliveries have since been revised, earlier questions answered
  for await (const event of atelier.events({ after: 0, jobId: id })) {
    const { seq, status } = event.job ?? { seq: 0, status: 'queued' };
    if (seq >= last || all) {
      show(io, event, json);
      await forward?.(event);
    }
    if (seq < last) continue;
    const mayWait = seq === last ? job.waiting_on !== null : event.type === 'job.question_asked';
    if (mayWait && (await showOpen(io, atelier, id))) return exitCodes.notDone;
    if (status === 'rejected' || status === 'canceled') return showEnd(io, atelier, id, exitCodes.notDone);
    if (status === 'ready_for_customer_review' || status === 'completed') return showEnd(io, atelier, id, exitCodes.done);
  }
  return exitCodes.notDone;
}

/** Prints the open questions; false if somebody has already answered them. */
async function showOpen(io: Io, atelier: Atelier, id: string): Promise<boolean> {
  const { job } = await atelier.readJob({ path: { id } });
  if (job.waiting_on === null) return false;
  await showQuestions(atelier, id, (line) => printMessage(io, line));
  return true;
}

/** What the studio said with the delivery, or why it refused, and the next command. */
async function showEnd(io: Io, atelier: Atelier, id: string, code: number): Promise<number> {
  const { job } = await atelier.readJob({ path: { id } });
  const { message, file_ids: files } = job.deliveries.at(-1) ?? { message: null, file_ids: [] };
  const said = job.reason ? job.reason.message : message;
  if (said) printMessage(io, `The studio says:\n${said.replace(/^/gm, '  ')}`);
  const see = files.length > 0 ? `atelier download ${id}` : `atelier job ${id}`;
  const decide = `, then: atelier approve ${id}, or: atelier revise ${id} "…"`;
  printMessage(io, `Next: ${see}${job.allowed_actions.includes('approve') ? decide : ''}`);
  return code;
}

type Shown = { created_at: string; type: string; message: string };

function show(io: Io, event: Shown, json: boolean): void {
  if (json) printJson(io, event);
  else print(io, `${event.created_at}  ${event.type}  ${event.message}`);
}
