import { createInterface } from 'node:readline';
import { type Command, Option } from 'commander';
import { Atelier, AtelierError, type IntakeSession } from '../client/atelier.ts';
import { readConfig } from '../server/config.ts';
import { Failure, say, show, showFailure } from './output.ts';
import { addressOf, type Shared } from './connection.ts';

export function chatCommand(program: Command): void {
  program
    .command('chat')
    .description('talk with the concierge until a brief is confirmed; the API key is taken from ATELIER_KEY')
    .option('--family <id>', 'the service family of a new conversation, such as design')
    .option('--option <id>', 'its service option, such as logo')
    .addOption(new Option('--session <id>', 'go on with a conversation').conflicts(['family', 'option']))
    .addHelpText('after', `\n${commands}\n\nLeaving without a job ends with 1.`)
    .action(async (_, command: Command) => {
      const { family, option, session, json, ...shared } = command.optsWithGlobals<Shared & Choice>();
      if (family === undefined && session === undefined)
        command.error('error: name a service family with --family, or a conversation with --session');
      const token = process.env.ATELIER_KEY;
      if (!token)
        throw new Failure('It is not known who is talking.', 'Set ATELIER_KEY to an API key of your account.');
      const atelier = new Atelier({ url: addressOf(readConfig(process.env), shared), token });
      await chat(atelier, await sessionOf(atelier, { family, option, session }), json);
    });
}

type Choice = { family?: string | undefined; option?: string | undefined; session?: string | undefined };

const commands = `In the conversation:
  /confirm  order the job, once the brief is ready
  /quit     leave; the conversation is kept for seven days
  /help     show this
Everything else is said to the concierge.`;

/** A new conversation, or one that goes on. */
async function sessionOf(atelier: Atelier, { family = '', option, session: id }: Choice): Promise<IntakeSession> {
  if (id === undefined) {
    const body = { service_family: family, ...(option === undefined ? {} : { service_type: option }) };
    return (await atelier.openIntake({ body })).session;
  }
  const { session } = await atelier.readIntake({ path: { id } });
  if (session.status === 'confirmed')
    throw new Failure(`This conversation is confirmed: it became ${session.job_id}.`, 'Open a new one with --family.');
  if (session.status === 'expired' || session.status === 'closed')
    throw new Failure(`This conversation is ${session.status}.`, 'Open a new one with --family.');
  return session;
}

/** A line is a message. Ends with a job, with `/quit`, or with the input. */
async function chat(atelier: Atelier, opened: IntakeSession, json: true | undefined): Promise<void> {
  let session = opened;
  const path = { id: session.id };
  say(`Conversation ${session.id}. /help shows what you can do, /quit leaves.`);
  reply(session);
  const lines = createInterface({ input: process.stdin });
  prompt();
  for await (const line of lines) {
    const said = line.trim();
    if (said === '/quit') break;
    try {
      if (said === '/confirm') return await confirm(atelier, session, json);
      if (/^\/\w+(?: |$)/u.test(said)) help(said);
      else if (said !== '') {
        ({ session } = await atelier.addMessage({ path, body: { content: said } }));
        reply(session);
      }
    } catch (error) {
      // A message that is refused was not taken; the next one may be.
      if (!(error instanceof AtelierError) || error.code === 'unreachable') throw error;
      showFailure(undefined, error);
    }
    prompt();
  }
  lines.close();
  say(`You left the conversation ${session.id}; no job is ordered. To go on before ${session.expires_at}:`);
  say(`  npm run admin -- chat --session ${session.id}`);
  process.exitCode = 1;
}

/** Only for somebody who types. */
const prompt = () => void (process.stdin.isTTY && process.stderr.write('> '));

/** A command is not for the concierge, also one that there is not. */
const help = (command: string) => say(command === '/help' ? commands : `There is no command ${command}.\n${commands}`);

function reply({ messages, status }: IntakeSession): void {
  say(`\n${messages.at(-1)?.content ?? ''}\n`);
  if (status === 'brief_ready') say('Write /confirm to order the job, or what is to change. /quit leaves.');
}

async function confirm(atelier: Atelier, { id, intent_brief }: IntakeSession, json: true | undefined): Promise<void> {
  const body = intent_brief === null ? {} : { brief_version: intent_brief.version };
  const confirmed = await atelier.confirmBrief({ path: { id }, body });
  show(json, confirmed.job, [`${confirmed.job.id} is ${confirmed.job.status}.`]);
  say(confirmed.next_action);
}
