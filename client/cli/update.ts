import type { UpdateJobData } from '../generated/types.gen.ts';
import { argument, type Command, type Input } from './command.ts';
import { readMetadata } from './draft.ts';
import { UsageError } from './exit-codes.ts';
import { connect } from './profile.ts';
import { print, printJson } from './terminal.ts';

type Changes = NonNullable<UpdateJobData['body']>;

const fields = new Map<string, keyof Changes>([
  ['reference', 'reference'],
  ['metadata', 'metadata'],
  ['wanted-by', 'wanted_by'],
]);

function changesOf(input: Input): Changes {
  const pairs = input.texts('metadata');
  const [reference, wanted_by] = [input.text('reference'), input.text('wanted-by')];
  const body: Changes = {
    ...(reference === undefined ? {} : { reference }),
    ...(pairs.length > 0 ? { metadata: readMetadata(pairs) } : {}),
    ...(wanted_by === undefined ? {} : { wanted_by }),
  };
  for (const name of input.texts('clear')) {
    const field = fields.get(name);
    if (field === undefined) throw new UsageError(`--clear takes no ${name}.`, `Use: ${[...fields.keys()].join(', ')}`);
    if (field in body) throw new UsageError(`--${name} and --clear ${name} exclude each other.`);
    body[field] = null;
  }
  if (Object.keys(body).length === 0) throw new UsageError('There is nothing to change.', 'See: atelier update --help');
  return body;
}

export const update: Command = {
  name: 'update',
  args: '<job>',
  summary: 'change your own data of a job that has not ended; no due date moves',
  options: {
    reference: { value: 'TEXT', description: 'your own number or name for the job' },
    metadata: { value: 'KEY=VALUE', multiple: true, description: 'your own data, which replaces all that was there; repeat for more' },
    'wanted-by': { value: 'TIME', description: 'when you wish to have the work, ISO 8601 with a zone; it promises nothing' },
    clear: { value: 'FIELD', multiple: true, description: 'clear a field: reference, metadata or wanted-by; repeat for more' },
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
