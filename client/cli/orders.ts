import { type Command, exitCodes, UsageError } from './command.ts';
import { draftOptions, readDraft } from './draft.ts';
import { connect } from './profile.ts';
import { bold, print, printJson, printMessage } from './terminal.ts';
import { attach } from './files.ts';
import { follow, howToFollow } from './watch.ts';
import { inCommands } from './words.ts';

export const catalog: Command = {
  name: 'catalog',
  args: '[family]',
  summary: 'list what can be ordered, and what each service asks for',
  examples: ['atelier catalog', 'atelier catalog design'],
  async run({ args, connection, json }, io) {
    const catalog = await (await connect(connection, { isPublic: true })).readCatalog();
    const families = catalog.service_families.filter(({ id }) => args[0] === undefined || id === args[0]);
    if (json) return printJson(io, { ...catalog, service_families: families });
    if (families.length === 0) throw new UsageError(`There is no family ${args[0]}.`, 'Run: atelier catalog');
    for (const family of families) {
      print(io, `${bold(io, family.id)}  ${family.name}`);
      for (const option of family.service_options) {
        print(io, `  ${option.id}  ${option.name}`);
        print(io, `    asks for: ${option.intake_requirements.map(showRequirement).join(', ')}`);
      }
    }
    return exitCodes.done;
  },
};

const showRequirement = ({ label, choices }: { label: string; choices: string[] }): string =>
  choices.length > 0 ? `${label} (${choices.join(' or ')})` : label;

export const check: Command = {
  name: 'check',
  summary: 'tell what a draft still lacks; needs no login',
  options: draftOptions,
  examples: ['atelier check --file draft.md'],
  async run(input, io) {
    const draft = await readDraft(io, input);
    const atelier = await connect(input.connection, { isPublic: true });
    const { intent_check } = await atelier.checkIntent({ body: draft });
    if (input.json) printJson(io, intent_check);
    else if (intent_check.ready) print(io, 'ready');
    else for (const requirement of intent_check.missing_intake_requirements) print(io, requirement);
    return intent_check.ready ? exitCodes.done : exitCodes.notDone;
  },
};

export const preflight: Command = {
  name: 'preflight',
  summary: 'tell whether a draft could be created now: plan, quota, concurrency, rates',
  options: draftOptions,
  examples: ['atelier preflight --file draft.md --json'],
  async run(input, io) {
    const draft = await readDraft(io, input);
    const { preflight } = await (await connect(input.connection)).preflightJob({ body: draft });
    if (input.json) printJson(io, preflight);
    else if (preflight.ready_to_create) print(io, 'ready');
    else for (const { code, message, action } of preflight.blocking_reasons) print(io, `${code}: ${message} ${inCommands(action)}`);
    const { wanted_by } = preflight;
    if (wanted_by && !wanted_by.fits && !input.json)
      printMessage(io, `The first delivery would be planned for ${wanted_by.earliest}, after your wish.`);
    return preflight.ready_to_create ? exitCodes.done : exitCodes.notDone;
  },
};

export const create: Command = {
  name: 'create',
  summary: 'create a job; prints its id',
  options: {
    ...draftOptions,
    attach: { value: 'FILE', multiple: true, description: 'upload a file and send it along; repeat for more' },
    'idempotency-key': { value: 'KEY', description: 'repeat a create with the same key and there is still one job' },
    wait: { description: 'follow the job until it is ready for review or has ended' },
  },
  examples: ['atelier create --file draft.md --attach logo.pdf --wait'],
  async run(input, io) {
    const draft = await readDraft(io, input);
    const atelier = await connect(input.connection);
    const key = input.text('idempotency-key');
    const files = await attach(io, atelier, input.texts('attach'), { key });
    const file_ids = [...(draft.file_ids ?? []), ...files.map(({ id }) => id)];
    const { job, next_action } = await atelier.createJob({
      body: { ...draft, ...(file_ids.length > 0 ? { file_ids } : {}) },
      ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
    });
    if (input.json) printJson(io, { job, next_action });
    else print(io, job.id);
    if (input.flag('wait')) return follow(io, atelier, job.id, { json: input.json });
    printMessage(io, howToFollow(job.id));
    return exitCodes.done;
  },
};
