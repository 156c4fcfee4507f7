import { optionalNames } from '../generated/optional-fields.ts';
import type { UpdateJobData } from '../generated/types.gen.ts';
import { argument, type Command, type Input, UsageError } from './command.ts';
import { flagOf, optionalOf, optionalOptions } from './optional-flags.ts';
import { connect } from './profile.ts';
import { print, printJson } from './terminal.ts';

type Changes = NonNullable<UpdateJobData['body']>;

function changesOf(input: Input): Changes {
  const body: Changes = optionalOf(input);
  for (const flag of input.texts('clear')) {
    const name = optionalNames.find((field) => flagOf(field) === flag);
    if (name === undefined) throw new UsageError(`--clear takes no ${flag}.`, `Use: ${optionalNames.map(flagOf).join(', ')}`);
    if (name in body) throw new UsageError(`--${flag} and --clear ${flag} exclude each other.`);
    body[name] = null;
  }
  if (Object.keys(body).length === 0) throw new UsageError('There is nothing to change.', 'See: atelier update --help');
  return body;
}

export const update: Command = {
  name: 'update',
  args: '<job>',
  summary: 'change your own data of a job that has not ended; metadata is replaced as a whole, and no due date moves',
  options: {
    ...optionalOptions,
    clear: { value: 'FIELD', multiple: true, description: `clear a field: ${optionalNames.map(flagOf).join(', ')}; repeat for more` },
  },
  examples: ['atelier update job_01… --reference PO-2026-114', 'atelier update job_01… --metadata campaign=spring --clear wanted-by'],
  async run(input, io) {
    const path = { id: argument(input, 0, 'job id') };
    const body = changesOf(input);
    const atelier = await connect(input.connection);
    const { job } = await atelier.updateJob({ path, body });
    if (input.json) printJson(io, job);
    else print(io, job.id);
  },
};
