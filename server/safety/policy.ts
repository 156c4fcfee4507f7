import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Refusal } from '../http/refusal.ts';
import { server } from '../lib/places.ts';
import { compilePattern, findSentence, normalise, type Normalised } from '../lib/sentences.ts';
import { credentialsIn } from './secret-scanner.ts';

type Exclusion = { id: string; description: string; patterns: RegExp; unless: RegExp | null };

const anyOf = (sources: string[]) => compilePattern(sources.map((source) => `(?:${source})`).join('|'));

export const policy: Exclusion[] = (
  parse(readFileSync(join(server, 'safety/policy.yaml'), 'utf8')) as {
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

type Finding = { location: string; kind: string; isCredential: boolean };

/** Names the location and kind of each problem, never the text. */
export function unsafe(texts: [location: string, text: string][]): Refusal | null {
  const findings = texts.flatMap(([location, text]): Finding[] => [
    ...credentialsIn(text).map((kind) => ({ location, kind, isCredential: true })),
    ...excludedBy(normalise(text)).map(({ description }) => ({ location, kind: description, isCredential: false })),
  ]);
  if (findings.length === 0) return null;
  const credentials = listOf(findings.filter(({ isCredential }) => isCredential));
  const excluded = listOf(findings.filter(({ isCredential }) => !isCredential));
  const sentences = [
    credentials && `The text carries ${credentials}. Never send credentials.`,
    excluded && `The request asks for ${excluded}, which this service does not take on.`,
  ];
  return new Refusal('unsafe_request', {
    message: sentences.filter(Boolean).join(' '),
    details: findings.map(({ location, kind, isCredential }) => ({
      location,
      message: `${isCredential ? 'carries' : 'asks for'} ${kind}`,
    })),
  });
}

const listOf = (findings: Finding[]) => new Intl.ListFormat('en').format(new Set(findings.map(({ kind }) => kind)));

const excludedBy = (text: Normalised) =>
  policy.filter(({ patterns, unless }) =>
    findSentence(text, patterns, (sentence) => !unless || normalise(sentence).lower.search(unless) < 0),
  );
