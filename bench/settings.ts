import { parseArgs } from 'node:util';

export type Settings = { only: string[] | null; json: string | null; rounds: number; seconds: number };

const usage = 'Usage: npm run bench -- [--only B1,B3] [--json FILE] [--rounds 5] [--seconds 3]';

const fail = (message: string): never => {
  throw new Error(`${message}\n${usage}`);
};

function readList(text: string | undefined, allowed: readonly string[]): string[] | null {
  if (text === undefined) return null;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !allowed.includes(name));
  if (unknown.length > 0)
    fail(`--only names no figure: ${unknown.map((name) => `"${name}"`).join(', ')}. There are ${allowed.join(', ')}.`);
  return names;
}

function readNumber(name: string, text: string, least: number, most: number): number {
  if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  return fail(`--${name} must be a whole number from ${least} to ${most}, not "${text}".`);
}

/** Names any empty or wrong setting. */
export function readSettings(args: string[], allowed: readonly string[]): Settings {
  const text = (value: string) => ({ type: 'string', ...(value === '' ? {} : { default: value }) }) as const;
  const options = { only: text(''), json: text(''), rounds: text('5'), seconds: text('3') };
  const parse = () => parseArgs({ args, options, strict: true }).values;
  let values: ReturnType<typeof parse>;
  try {
    values = parse();
  } catch (error) {
    return fail((error as Error).message);
  }
  if (values.json === '') fail('--json needs the name of a file.');
  return {
    only: readList(values.only, allowed),
    json: values.json ?? null,
    rounds: readNumber('rounds', values.rounds ?? '', 1, 50),
    seconds: readNumber('seconds', values.seconds ?? '', 1, 60),
  };
}
