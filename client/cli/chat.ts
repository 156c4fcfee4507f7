import { createInterface } from 'node:readline';
import type { Atelier } from '../atelier.ts';
import { AtelierError } from '../error.ts';
import type { IntakeSession } from '../generated/types.gen.ts';
import type { Command, Input } from './command.ts';
import { exitCodes, UsageError } from './exit-codes.ts';
import { connect } from './profile.ts';
import { bold, print, printJson, printMessage, showError } from './terminal.ts';
import { howToFollow } from './watch.ts';

const help = `In the conversation:
  1, 2, …   choose a suggested reply
  /brief    show the brief so far
  /confirm  order the job, once the brief is ready
  /quit     leave; the conversation is kept for seven days
Everything else is said to the concierge.`;

export const chat: Command = {
  name: 'chat',
  args: '[family]',
  summary: 'talk with the concierge until a brief is confirmed as a job',
  options: {
    type: { value: 'ID', description: 'service option, such as logo' },
    session: { value: 'ID', description: 'go on with a conversation' },
  },
  examples: ['atelier chat design', 'atelier chat --session ise_01…'],
  async run(input) {
    const atelier = await connect(input.connection);
    const session = await sessionOf(atelier, input);
    printMessage(`Conversation ${session.id}. /help shows what you can do.`);
    return converse(atelier, session, input.json);
  },
};

async function sessionOf(atelier: Atelier, input: Input): Promise<IntakeSession> {
  const [id, family, type] = [input.text('session'), input.args[0], input.text('type')];
  if (id !== undefined) return (await atelier.readIntake({ path: { id } })).intake_session;
  if (family === undefined) throw new UsageError('Name a service family, or a conversation.', 'Run: atelier catalog');
  const body = { service_family: family, ...(type === undefined ? {} : { service_type: type }) };
  return (await atelier.openIntake({ body })).intake_session;
}

/** Each line is a message. Ends with a job, with `/quit`, or at the end of the input. */
async function converse(atelier: Atelier, opened: IntakeSession, json: boolean): Promise<number> {
  let session = opened;
  show(session);
  const lines = createInterface({ input: process.stdin, output: process.stderr, prompt: '> ', terminal: process.stdin.isTTY });
  let open = true; // piped input ends before its lines are answered
  lines.on('close', () => (open = false));
  lines.prompt();
  for await (const line of lines) {
    const typed = line.trim();
    if (typed === '/quit') break;
    try {
      if (typed === '/confirm') {
        const confirmed = await confirmBrief(atelier, session);
        lines.close();
        if (json) printJson(confirmed);
        else print(confirmed.job.id);
        printMessage(howToFollow(confirmed.job.id));
        return exitCodes.done;
      }
      if (typed === '/brief') showBrief(session);
      else if (typed.startsWith('/')) printMessage(help);
      else if (typed !== '') {
        const content = session.suggested_replies[Number(typed) - 1]?.message ?? typed;
        ({ intake_session: session } = await atelier.addMessage({ path: { id: session.id }, body: { content } }));
        show(session);
      }
    } catch (error) {
      // A refused message was not recorded; the user can try another.
      if (!(error instanceof AtelierError) || error.code === 'unreachable') throw error;
      showError(error, json);
    }
    if (open) lines.prompt();
  }
  lines.close();
  printMessage(`No job is ordered. Go on with: atelier chat --session ${session.id}`);
  return exitCodes.notDone;
}

function show({ messages, suggested_replies: replies, status }: IntakeSession): void {
  printMessage(`\n${messages.at(-1)?.content ?? ''}\n`);
  for (const [at, { label }] of replies.entries()) printMessage(`  ${bold(String(at + 1))}  ${label}`);
  if (status === 'brief_ready') printMessage('/confirm orders the job.');
}

function showBrief({ intent_brief: brief }: IntakeSession): void {
  printMessage(brief ? `${brief.customer_title}\n\n${brief.customer_instructions}` : 'There is no brief yet.');
}

const confirmBrief = (atelier: Atelier, { id, intent_brief: brief }: IntakeSession) =>
  atelier.confirmBrief({ path: { id }, body: brief ? { brief_version: brief.version } : {} });
