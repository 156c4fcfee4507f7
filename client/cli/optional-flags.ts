import { fieldOf, type OptionalField, optionalNames, type OptionalValues } from '../generated/optional-fields.ts';
import { type Input, type Option, UsageError } from './command.ts';

export const flagOf = (name: OptionalField): string => name.replaceAll('_', '-');

function optionOf(name: OptionalField): Option {
  const { description, ...field } = fieldOf(name);
  const text = description.charAt(0).toLowerCase() + description.slice(1, -1);
  if (field.kind === 'map') return { value: 'KEY=VALUE', multiple: true, description: `${text}; repeat for more` };
  if (field.kind === 'date') return { value: 'TIME', description: `${text}; ISO 8601 with a zone` };
  return { value: field.kind === 'choice' ? field.choices.join('|') : 'TEXT', description: text };
}

export const optionalOptions: Record<string, Option> = Object.fromEntries(optionalNames.map((name) => [flagOf(name), optionOf(name)]));

/** The optional fields that flags give. */
export const optionalOf = (input: Input): Partial<OptionalValues> =>
  Object.fromEntries(
    optionalNames.flatMap((name) => {
      const [flag, { kind }] = [flagOf(name), fieldOf(name)];
      const value = kind === 'map' ? readPairs(flag, input.texts(flag)) : input.text(flag);
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** `key=value` pairs; the value may contain equals signs. */
function readPairs(flag: string, pairs: readonly string[]): Record<string, string> | undefined {
  if (pairs.length === 0) return undefined;
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, key, value] = /^([^=]+)=([^]*)$/.exec(pair) ?? [];
      if (key === undefined || value === undefined)
        throw new UsageError(`--${flag} needs KEY=VALUE.`, `For example: --${flag} campaign=spring`);
      return [key, value];
    }),
  );
}

/** What a job has of them, a line each. */
export const optionalLines = (job: OptionalValues): string[] =>
  optionalNames.flatMap((name) => {
    const [field, value] = [fieldOf(name), job[name] ?? {}];
    if (typeof value === 'object') return Object.entries(value).map(([key, text]) => `${name} ${key}=${text}`);
    return [`${field.studioSees ? field.label.toLowerCase() : name}: ${value}`];
  });
