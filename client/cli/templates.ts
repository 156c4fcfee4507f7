import type { Atelier } from '../atelier.ts';
import { reusedNames, valuesOf } from '../generated/optional-fields.ts';
import type { IntakeSession, Template } from '../generated/types.gen.ts';
import { argument, type Command, type Input, UsageError } from './command.ts';
import { connect } from './profile.ts';
import { confirm, print, printJson, printMessage, printTable } from './terminal.ts';

const listAll = async (atelier: Atelier): Promise<Template[]> =>
  (await atelier.listTemplates({ query: { limit: 100 } })).templates;

/** By its id, or by its name in any case. */
async function find(atelier: Atelier, idOrName: string): Promise<Template> {
  const all = await listAll(atelier);
  const template = all.find(({ id, name }) => id === idOrName || name.toLowerCase() === idOrName.toLowerCase());
  if (!template) throw new UsageError(`There is no template ${idOrName}.`, 'Run: atelier templates');
  return template;
}

/** The open draft, or one that is opened from the job and closed afterwards. */
async function save(atelier: Atelier, input: Input, name: string): Promise<Template> {
  const [draft, job] = [input.text('draft'), input.text('job')];
  if ((draft === undefined) === (job === undefined))
    throw new UsageError('Name what to save: --draft ISE or --job JOB.', 'For example: --job job_01…');
  const replaced = input.text('replace');
  const target = replaced === undefined ? null : await find(atelier, replaced);
  if (job === undefined) {
    const { intake_session } = await atelier.readIntake({ path: { id: draft ?? '' } });
    return store(atelier, target, contentOf(name, intake_session, await copiesOf(atelier, intake_session)));
  }
  const { intake_session } = await atelier.openIntake({ body: { job_id: job } });
  try {
    return await store(atelier, target, contentOf(name, intake_session, intake_session.file_ids));
  } finally {
    await atelier.closeIntake({ path: { id: intake_session.id } });
  }
}

/** The files of a draft go with its job. */
async function copiesOf(atelier: Atelier, { file_ids }: IntakeSession): Promise<string[]> {
  const copies: string[] = [];
  for (const id of file_ids) copies.push((await atelier.copyFile({ path: { id } })).file.id);
  return copies;
}

const contentOf = (name: string, session: IntakeSession, file_ids: string[]) => ({
  name,
  service_family: session.service_family,
  service_type: session.service_type,
  answers: session.answers.map(({ requirement, answer }) => ({ requirement, answer })),
  words: session.words,
  ...valuesOf(reusedNames, session),
  file_ids,
});

const store = async (atelier: Atelier, target: Template | null, body: ReturnType<typeof contentOf>): Promise<Template> =>
  (await (target ? atelier.replaceTemplate({ path: { id: target.id }, body }) : atelier.createTemplate({ body }))).template;

const saveCommand: Command = {
  name: 'templates save',
  args: '<name>',
  summary: 'save a draft or an earlier job as a template; prints its id',
  options: {
    job: { value: 'ID', description: 'what this job ordered' },
    draft: { value: 'ID', description: 'what this open draft has' },
    replace: { value: 'TEMPLATE', description: 'put it in the place of this template, by id or name' },
  },
  examples: [
    'atelier templates save "Monthly leaflet" --job job_01…',
    'atelier templates save "Monthly leaflet" --draft ise_01… --replace "Monthly leaflet"',
  ],
  async run(input, io) {
    const saved = await save(await connect(input.connection), input, argument(input, 0, 'name'));
    if (input.json) printJson(io, saved);
    else print(io, saved.id);
  },
};

const use: Command = {
  name: 'templates use',
  args: '<template>',
  summary: 'open a draft with a copy of a template; prints its id',
  examples: ['atelier templates use "Monthly leaflet"', 'atelier chat --session "$(atelier templates use tpl_01…)"'],
  async run(input, io) {
    const idOrName = argument(input, 0, 'template');
    const atelier = await connect(input.connection);
    const { id: template_id } = await find(atelier, idOrName);
    const { intake_session: session } = await atelier.openIntake({ body: { template_id } });
    if (input.json) return printJson(io, session);
    print(io, session.id);
    printMessage(io, `Go on with: atelier chat --session ${session.id}`);
  },
};

const remove: Command = {
  name: 'templates delete',
  args: '<template>',
  summary: 'delete a template, for everybody in the account',
  options: { yes: { description: 'do not ask' } },
  examples: ['atelier templates delete "Monthly leaflet" --yes'],
  async run(input, io) {
    const idOrName = argument(input, 0, 'template');
    const atelier = await connect(input.connection);
    const { id, name } = await find(atelier, idOrName);
    await confirm(io, `Delete the template ${name}?`, input.flag('yes'));
    const { template } = await atelier.deleteTemplate({ path: { id } });
    if (input.json) printJson(io, template);
    else print(io, 'deleted');
  },
};

const ways = [saveCommand, use, remove];

export const templates: Command = {
  name: 'templates',
  args: '[save|use|delete]',
  summary: 'list the templates that drafts can start from, newest first; save, use or delete one',
  examples: ['atelier templates', 'atelier templates --json', ...ways.map(({ examples: [example = ''] }) => example)],
  commands: () => ways,
  async run(input, io) {
    if (input.args[0] !== undefined) throw new UsageError(`There is no command templates ${input.args[0]}.`);
    const all = await listAll(await connect(input.connection));
    if (input.json) for (const template of all) printJson(io, template);
    else if (all.length === 0) printMessage(io, 'No templates.');
    else
      printTable(
        io,
        all.map(({ id, service_family, service_type, updated_at, created_by, name }) => [
          id,
          service_type ?? service_family,
          updated_at.slice(0, 10),
          created_by.name,
          name,
        ]),
      );
  },
};
