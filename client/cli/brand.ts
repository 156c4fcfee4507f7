import type { BrandFact } from '../generated/types.gen.ts';
import { argument, type Command, type Input, type Io, UsageError } from './command.ts';
import { connect } from './profile.ts';
import { print, printJson, printMessage, printTable } from './terminal.ts';

const isCalled = (name: string) => (fact: BrandFact) => fact.label.toLowerCase() === name.toLowerCase();

/** Changes the facts of the version that was read. */
async function change(io: Io, input: Input, edit: (facts: BrandFact[]) => BrandFact[]): Promise<void> {
  const atelier = await connect(input.connection);
  const { brand } = await atelier.readBrand();
  const { file_ids, version } = brand;
  const { brand: changed } = await atelier.replaceBrand({ body: { facts: edit(brand.facts), file_ids, version } });
  if (input.json) printJson(io, changed);
  else print(io, `version ${changed.version}`);
}

const set: Command = {
  name: 'brand set',
  args: '<label> <text>',
  summary: 'add a fact to the brand kit, or replace the one with this label',
  examples: ['atelier brand set Colours "Dark green and cream"'],
  async run(input, io) {
    const fact = { label: argument(input, 0, 'label'), text: argument(input, 1, 'text') };
    await change(io, input, (facts) =>
      facts.some(isCalled(fact.label)) ? facts.map((old) => (isCalled(fact.label)(old) ? fact : old)) : [...facts, fact],
    );
  },
};

const unset: Command = {
  name: 'brand unset',
  args: '<label>',
  summary: 'remove a fact from the brand kit',
  examples: ['atelier brand unset Colours'],
  async run(input, io) {
    const label = argument(input, 0, 'label');
    await change(io, input, (facts) => {
      if (!facts.some(isCalled(label))) throw new UsageError(`The brand kit has no fact ${label}.`);
      return facts.filter((fact) => !isCalled(label)(fact));
    });
  },
};

export const brand: Command = {
  name: 'brand',
  args: '[set|unset]',
  summary: 'show the brand kit, which the studio reads with every job; set or unset a fact',
  examples: ['atelier brand', ...[set, unset].map(({ examples: [example = ''] }) => example)],
  commands: () => [set, unset],
  async run(input, io) {
    if (input.args[0] !== undefined) throw new UsageError(`There is no command brand ${input.args[0]}.`);
    const { brand: kit } = await (await connect(input.connection)).readBrand();
    if (input.json) return printJson(io, kit);
    const rows = [...kit.facts.map(({ label, text }) => [label, text]), ...kit.files.map((file) => [file.id, file.file_name])];
    if (rows.length > 0) printTable(io, rows);
    else printMessage(io, 'The brand kit is empty.');
  },
};
