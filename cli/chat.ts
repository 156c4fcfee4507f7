import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { Atelier, AtelierError, type IntakeSession } from '../client/atelier.ts';
import { readConfig } from '../server/config.ts';
import { Failure, say, show, showFailure } from './screen.ts';
import { addressOf, type Shared } from './reach.ts';

export function chatCommand(program: Command): void {
  program
    .command('chat')
    .description('talk with the concierge until a brief is confirmed; the API key is taken from ATELIER_KEY')
    .requiredOption('--family <id>', 'the service family, such as design')
    .option('--option <id>', 'the service option, such as logo')
    .action(async (_, command: Command) => {
      const { family, option, json, ...shared } = command.optsWithGlobals<
        Shared & { family: string; option?: string }
      >();
      const token = process.env.ATELIER_KEY;
      if (!token)
        throw new Failure('It is not known who is talking.', 'Set ATELIER_KEY to an API key of your account.');
      await chat({ url: addressOf(readConfig(process.env), shared), token, family, option, json });
    });
}

type Chat = { url: string; token: string; family: string; option?: string | undefined; json?: true | undefined };

const hint =
  'Write /confirm to order the job, or what is to change. /quit leaves; the conversation is kept for seven days.';

/** A line is a message. Ends with a job, with `/quit`, or with the input. */
export async function chat({ url, token, family, option, json }: Chat): Promise<void> {
  const atelier = new Atelier({ url, token });
  const opening = { service_family: family, ...(option === undefined ? {} : { service_type: option }) };
  let { session } = await atelier.openIntake({ body: opening });
  const path = { id: session.id };
  reply(session);
  const lines = createInterface({ input: process.stdin });
  prompt();
  for await (const line of lines) {
    const said = line.trim();
    if (said === '/quit') break;
    try {
      if (said === '/confirm') return await confirm(atelier, session, json);
      if (said !== '') ({ session } = await atelier.addMessage({ path, body: { content: said } }));
      if (said !== '') reply(session);
    } catch (error) {
      // A message that is refused was not taken; the next one may be.
      if (!(error instanceof AtelierError) || error.code === 'unreachable') throw error;
      showFailure(undefined, error);
    }
    prompt();
  }
  lines.close();
  say(`You left the conversation ${session.id}.`);
}

/** Only for somebody who types. */
const prompt = () => void (process.stdin.isTTY && process.stderr.write('> '));

function reply({ messages, status }: IntakeSession): void {
  say(`\n${messages.at(-1)?.content ?? ''}\n`);
  if (status === 'brief_ready') say(hint);
}

async function confirm(atelier: Atelier, { id, intent_brief }: IntakeSession, json: true | undefined): Promise<void> {
  const body = intent_brief === null ? {} : { brief_version: intent_brief.version };
  const confirmed = await atelier.confirmBrief({ path: { id }, body });
  show(json, confirmed.job, [`${confirmed.job.id} is ${confirmed.job.status}.`]);
  say(confirmed.next_action);
}
