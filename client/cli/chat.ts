import { createInterface, type Interface } from 'node:readline';
import type { Atelier } from '../atelier.ts';
import { AtelierError } from '../error.ts';
import type { IntakeSession } from '../generated/types.gen.ts';
import { type Command, exitCodes, type Input, type Io, UsageError } from './command.ts';
import { connect } from './profile.ts';
import { bold, print, printJson, printMessage } from './terminal.ts';
import { showError } from './show-error.ts';
import { howToFollow } from './watch.ts';

const help = `In the conversation:
  1, 2, …   choose a suggested reply
  /brief    show the brief so far
  /accept   accept all that is suggested; /accept Length accepts that field
  /dismiss  drop a suggestion, such as /dismiss Length
  /open     leave a field to the studio, such as /open Length
  /confirm  order the job, once the brief is ready
  /quit     leave; the conversation is kept for thirty days
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
  async run(input, io) {
    const atelier = await connect(input.connection);
    const session = await sessionOf(atelier, input);
    printMessage(io, `Conversation ${session.id}. /help shows what you can do.`);
    return converse(io, atelier, session, input.json);
  },
};

async function sessionOf(atelier: Atelier, input: Input): Promise<IntakeSession> {
  const [id, family, type] = [input.text('session'), input.args[0], input.text('type')];
  if (id !== undefined) return (await atelier.readIntake({ path: { id } })).intake_session;
  if (family === undefined) throw new UsageError('Name a service family, or a conversation.', 'Run: atelier catalog');
  const body = { service_family: family, ...(type === undefined ? {} : { service_type: type }) };
  return (await atelier.openIntake({ body })).intake_session;
}

/** Ends with a job, with `/quit`, or at the end of the input. */
async function converse(io: Io, atelier: Atelier, opened: IntakeSession, json: boolean): Promise<number> {
  let session = opened;
  show(io, session);
  const lines = createInterface({ input: io.stdin, output: io.stderr, prompt: '> ', terminal: io.stdin.isTTY ?? false });
  let open = true; // piped input ends before its lines are answered
  markPastes(io, lines);
  lines.on('close', () => (open = false));
  lines.prompt();
  for await (const typed of messagesOf(lines, io.stdin)) {
    if (typed === '/quit') break;
    try {
      if (typed === '/confirm') {
        const confirmed = await confirmBrief(atelier, session);
        lines.close();
        if (json) printJson(io, confirmed);
        else print(io, confirmed.job.id);
        printMessage(io, howToFollow(confirmed.job.id));
        return exitCodes.done;
      }
      const field = /^\/(accept|dismiss|open)(?: (.{1,200}))?$/.exec(typed);
      if (typed === '/brief') showBrief(io, session);
      else if (field) {
        session = await setFields(atelier, session, field[1]!, field[2]);
        showBrief(io, session);
        if (session.status === 'brief_ready') printMessage(io, confirmHint(session.missing_intake_requirements));
      }
      else if (typed.startsWith('/')) printMessage(io, help);
      else if (typed !== '') {
        const content = session.suggested_replies[Number(typed) - 1]?.message ?? typed;
        ({ intake_session: session } = await atelier.addMessage({ path: { id: session.id }, body: { content } }));
        show(io, session);
      }
    } catch (error) {
      // A refused message was not recorded; the user can try another.
      if (!(error instanceof AtelierError) || error.code === 'unreachable') throw error;
      showError(io, error, json);
    }
    if (open) lines.prompt();
  }
  lines.close();
  printMessage(io, `No job is ordered. Go on with: atelier chat --session ${session.id}`);
  return exitCodes.notDone;
}

/** Asks the terminal to say where pasted text begins and ends. */
function markPastes({ stderr }: Io, lines: Interface): void {
  if (!lines.terminal) return;
  stderr.write('\u001b[?2004h');
  lines.on('close', () => stderr.write('\u001b[?2004l'));
}

/** Each line is a message. Pasted lines wait for Enter and are one message. */
export async function* messagesOf(lines: Interface, input: NodeJS.EventEmitter): AsyncGenerator<string> {
  let pasting = false;
  const isPasted: boolean[] = [];
  input.on('keypress', (_, { name }: { name?: string }) => {
    if (name === 'paste-start') pasting = true;
    if (name === 'paste-end') pasting = false;
  });
  lines.on('line', () => isPasted.push(pasting));
  let waiting: string[] = [];
  for await (const line of lines) {
    waiting.push(line);
    if (isPasted.shift()) continue;
    yield waiting.join('\n').trim();
    waiting = [];
  }
}

function show(io: Io, { messages, suggested_replies: replies, status, missing_intake_requirements: missing }: IntakeSession): void {
  printMessage(io, `\n${messages.at(-1)?.content ?? ''}\n`);
  for (const [at, { label }] of replies.entries()) printMessage(io, `  ${bold(io, String(at + 1))}  ${label}`);
  if (status === 'brief_ready') printMessage(io, confirmHint(missing));
}

const confirmHint = (missing: string[]): string =>
  missing.length === 0 ? '/confirm orders the job.' : `/confirm orders the job with ${missing.length} open: ${missing.join(', ')}.`;

function showBrief(io: Io, { intent_brief: brief, ...session }: IntakeSession): void {
  if (brief) return printMessage(io, `${brief.customer_title}\n\n${brief.customer_instructions}`);
  for (const { requirement, answer } of session.answers) printMessage(io, `${requirement}: ${answer}`);
  for (const { requirement, answer } of session.suggestions) printMessage(io, `${requirement}? ${answer}`);
  printMessage(io, `Open: ${session.missing_intake_requirements.join(', ')}`);
}

/** Without a name, all suggestions. */
async function setFields(
  atelier: Atelier,
  session: IntakeSession,
  verb: string,
  name: string | undefined,
): Promise<IntakeSession> {
  const labels =
    name === undefined
      ? session.suggestions.map(({ requirement }) => requirement)
      : [session.missing_intake_requirements.find((label) => label.toLowerCase() === name.toLowerCase()) ?? name];
  let changed = session;
  for (const requirement of labels) {
    const body = { requirement, ...(verb === 'open' ? { open: true as const } : { accept: verb === 'accept' }) };
    ({ intake_session: changed } = await atelier.answerIntake({ path: { id: session.id }, body }));
  }
  return changed;
}

const confirmBrief = (atelier: Atelier, { id, intent_brief: brief }: IntakeSession) =>
  atelier.confirmBrief({ path: { id }, body: brief ? { brief_version: brief.version } : {} });
