import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import Type from 'typebox';
import type { Family } from '../catalog/catalog.ts';
import { server } from '../lib/places.ts';
import { readYaml } from '../lib/read-yaml.ts';
import { compilePattern } from '../lib/sentences.ts';
import { namesOf, onceFor } from './labels.ts';

const regionName = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const countries = letters.flatMap((first) =>
  letters.flatMap((second) => regionName.of(first + second)?.toLowerCase() ?? []),
);

const texts = Type.Array(Type.String());
const table = readYaml(
  'requirements/parts.yaml',
  Type.Object({ parts: Type.Record(Type.String(), Type.String()), goes_on: texts, judgement: Type.String() }),
);
export const goesOn = new RegExp(table.goes_on.join('|'), 'giu');
export const judgement = new RegExp(table.judgement, 'iu');
/** What a pattern of `values` may name. */
const parts: Record<string, string> = {
  ...table.parts,
  country: `(?:${countries.map(RegExp.escape).join('|')}|europe|the (?:eu|us|uk|usa)|england|scotland|wales)`,
};

/** `<clause>` is the value; `{number}` is only a part of it. */
const compileValue = (source: string): RegExp =>
  compilePattern(
    source
      .replace(/(?<!\(\?)<(\w+)>/u, (_, part: string) => `(?<value>${parts[part]})`)
      .replaceAll(/\{([a-z]+)\}/gu, (_, part: string) => parts[part]!),
    'gdu',
  );

/** By the id of the family and the label of the requirement. */
function readPatterns(folder: string): Map<string, Record<string, string[]>> {
  const path = join('requirements', folder);
  const read = (file: string) => readYaml(join(path, file), Type.Record(Type.String(), texts));
  return new Map(readdirSync(join(server, path)).map((file) => [basename(file, '.yaml'), read(file)]));
}
const values = readPatterns('values');
const patterns = new Map(
  [...readPatterns('patterns')].map(([id, sources]) => {
    const compiled = Object.entries(sources).map(
      ([label, all]) => [label, all.map((source) => compilePattern(source))] as const,
    );
    return [id, new Map(compiled)];
  }),
);

/** Patterns by which the intent check knows an answer in prose. */
export const patternsFor = ({ id }: Family): ReadonlyMap<string, RegExp[]> => patterns.get(id) ?? new Map();

const spokenStart = '(?:^|[.!?;:,–\\n] ?|\\b(?:and|but|actually|so) )(?:the |our |its )?';
const spokenLink = '(?:is|are|will be|should be|must be|has to be) (?:called |named )?<clause>';

/** Patterns whose group `value` is an answer to suggest, beginning with "The audience is …". */
export const valuesFor = onceFor(
  ({ id, intake_requirements: requirements }) =>
    new Map(
      requirements.map((requirement) => {
        const names = namesOf(requirement).map(RegExp.escape).join('|');
        const spoken = `${spokenStart}(?:${names}) ${spokenLink}`;
        return [requirement.label, [spoken, ...(values.get(id)?.[requirement.label] ?? [])].map(compileValue)];
      }),
    ),
);
