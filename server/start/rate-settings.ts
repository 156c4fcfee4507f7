import { type CountedBy, type Limit, rates, type RateName, type Rates } from '../../contract/rates.ts';
import type { Environment } from './environment.ts';

/** Parses `account=60/60,key=30/60`: requests per seconds, for each party that the rate counts by. */
function readRate(name: RateName, text: string | null): Rates[RateName] | null {
  if (text === null) return rates[name];
  const matches = text.split(',').map((part) => /^(\w+)=([1-9]\d{0,8})\/([1-9]\d{0,5})$/.exec(part.trim()));
  const allKnown = matches.every((line) => line !== null && Object.hasOwn(rates[name], line[1] ?? ''));
  if (!allKnown) return null;
  const limits = matches.map((line): [CountedBy, Limit] => [
    line?.[1] as CountedBy,
    { limit: Number(line?.[2]), windowSeconds: Number(line?.[3]) },
  ]);
  return { ...rates[name], ...Object.fromEntries(limits) };
}

export function readRates(env: Environment): Rates {
  const variables = (Object.keys(rates) as RateName[]).map((name) => `RATE_${name.toUpperCase()}`);
  // A mistyped name would silently have no effect.
  for (const name of env.names('RATE_'))
    env.check(name, variables.includes(name), `is not a rate; the rates are ${variables.join(', ')}.`);
  const read = (Object.keys(rates) as RateName[]).map((name): [RateName, Rates[RateName]] => {
    const variable = `RATE_${name.toUpperCase()}`;
    const rate = readRate(name, env.text(variable));
    const example = Object.keys(rates[name]).map((by) => `${by}=60/60`);
    env.check(variable, rate !== null, `must be requests per seconds, such as ${example.join(',')}.`);
    return [name, rate ?? rates[name]];
  });
  return Object.fromEntries(read) as Rates;
}
