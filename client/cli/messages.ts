import type { Atelier } from '../atelier.ts';
import type { Message } from '../generated/types.gen.ts';
import { argument, type Command, exitCodes, type Io } from './command.ts';
import { attach } from './files.ts';
import { connect } from './profile.ts';
import { print, printJson, printMessage } from './terminal.ts';

/** Newest first. Loads pages as needed. */
async function* eachMessage(atelier: Atelier, id: string): AsyncGenerator<Message> {
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { messages: Message[]; next_cursor: string | null } = await atelier.listMessages({
      path: { id },
      query: { limit: 100, ...(cursor ? { cursor } : {}) },
    });
    yield* page.messages;
    cursor = page.next_cursor;
  }
}

const isOpen = ({ question, answered_at, closed_at, withdrawn_at }: Message): boolean =>
  question && answered_at === null && closed_at === null && withdrawn_at === null;

/** Indented, so that no text can look like a line of another message. */
const indented = (text: string): string => text.replace(/^/gm, '  ');

/** The open questions of a job and how to answer them. */
export async function showQuestions(atelier: Atelier, id: string, show: (line: string) => void): Promise<void> {
  const open: Message[] = [];
  for await (const message of eachMessage(atelier, id)) if (isOpen(message)) open.unshift(message);
  if (open.length === 0) return;
  show('The studio asks:');
  for (const { text } of open) show(indented(text ?? ''));
  show(`Answer with: atelier message ${id} "…"`);
}

function show(io: Io, message: Message): void {
  const { author, created_at, text, file_ids, question } = message;
  const kind = isOpen(message) ? '  open question' : question ? '  question' : '';
  print(io, `${created_at}  ${[author.kind, author.name].filter(Boolean).join(' ')}${kind}`);
  print(io, text === null ? '  (withdrawn)' : indented(text));
  for (const file of file_ids) print(io, `  file ${file}`);
}

export const messages: Command = {
  name: 'messages',
  args: '<job>',
  summary: 'show what you and the studio wrote to each other about a job, oldest first',
  examples: ['atelier messages job_01…', 'atelier messages job_01… --json'],
  async run(input, io) {
    const id = argument(input, 0, 'job id');
    const atelier = await connect(input.connection);
    const all: Message[] = [];
    for await (const message of eachMessage(atelier, id)) all.unshift(message);
    for (const message of all) if (input.json) printJson(io, message); else show(io, message);
    if (all.length === 0 && !input.json) printMessage(io, 'No messages.');
  },
};

export const message: Command = {
  name: 'message',
  args: '<job> <text>',
  summary: 'write to the studio about a job, which answers its open questions; prints the id of the message',
  options: { attach: { value: 'FILE', multiple: true, description: 'upload a file and send it along; repeat for more' } },
  examples: ['atelier message job_01… "The dark green, please"', 'atelier message job_01… "Like this one" --attach photo.jpg'],
  async run(input, io) {
    const id = argument(input, 0, 'job id');
    const text = argument(input, 1, 'text of the message');
    const atelier = await connect(input.connection);
    const files = await attach(io, atelier, input.texts('attach'), { jobId: id, purpose: 'job_reference' });
    const file_ids = files.map((file) => file.id);
    const sent = await atelier.sendMessage({ path: { id }, body: { text, ...(file_ids.length > 0 ? { file_ids } : {}) } });
    if (input.json) printJson(io, sent.message);
    else print(io, sent.message.id);
    return exitCodes.done;
  },
};
