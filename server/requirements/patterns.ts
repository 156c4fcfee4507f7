import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import type { Family } from '../catalog/catalog.ts';
import { compilePattern } from './normalise.ts';

type Patterns = ReadonlyMap<string, RegExp[]>;

function readPatterns(file: string): Patterns {
  const sources = parse(readFileSync(join(import.meta.dirname, file), 'utf8')) as Record<string, string[]>;
  return new Map(Object.entries(sources).map(([label, patterns]) => [label, patterns.map(compilePattern)]));
}

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.yaml'));
const byFamily = new Map(files.map((file) => [basename(file, '.yaml'), readPatterns(file)]));
const none: Patterns = new Map();

/** Patterns that find answers in prose. Families without patterns are recognised by their labels only. */
export const patternsFor = ({ id }: Family): Patterns => byFamily.get(id) ?? none;
