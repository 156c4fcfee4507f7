import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Refusal } from '../http/refusal.ts';
import { compilePattern, findSentence, normalise, type Normalised } from '../requirements/normalise.ts';
import { credentialIn } from './secret-scanner.ts';

type Exclusion = { id: string; description: string; patterns: RegExp; unless: RegExp | null };

const anyOf = (sources: string[]) => compilePattern(sources.map((source) => `(?:${source})`).join('|'));

export const policy: Exclusion[] = (
  parse(readFileSync(new URL('policy.yaml', import.meta.url), 'utf8')) as {
    id: string;
    description: string;
    patterns: string[];
    unless?: string[];
  }[]
).map(({ patterns, unless, ...rest }) => ({
  ...rest,
  patterns: anyOf(patterns),
  unless: unless ? anyOf(unless) : null,
}));

/** Names the location and kind of the problem, never the text. */
export function unsafe(texts: [location: string, text: string][]): Refusal | null {
  for (const [location, text] of texts) {
    const kind = credentialIn(text);
    if (kind) return refusal(location, `carries ${kind}`, `The text carries ${kind}. Never send credentials.`);
    const excluded = excludedBy(normalise(text))?.description;
    if (excluded !== undefined)
      return refusal(
        location,
        `asks for ${excluded}`,
        `The request asks for ${excluded}, which this service does not take on.`,
      );
  }
  return null;
}

const refusal = (location: string, problem: string, message: string) =>
  new Refusal('unsafe_request', { message, details: [{ location, message: problem }] });

const excludedBy = (text: Normalised) =>
  policy.find(({ patterns, unless }) =>
    findSentence(text, patterns, (sentence) => !unless || normalise(sentence).lower.search(unless) < 0),
  );
