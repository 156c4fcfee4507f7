import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { distance } from 'fastest-levenshtein';

type Variables = Record<string, string | undefined>;

/** Shorter names, such as HOST, are too close to names of other programs. */
const shortestCompared = 8;

/** Reads environment variables and collects all problems, without showing values. */
export class Environment {
  readonly problems: string[] = [];
  readonly variables: Variables;
  /** The settings that this version reads. */
  readonly settings = new Set<string>();

  constructor(variables: Variables) {
    this.variables = variables;
  }

  check(name: string, ok: boolean, hint: string): void {
    if (!ok) this.problems.push(`${name} ${hint}`);
  }

  /** Null if it is unset or blank. */
  text(name: string): string | null {
    this.settings.add(name);
    return this.variables[name]?.trim() || null;
  }

  names(beginning: string): string[] {
    return Object.keys(this.variables).filter((name) => name.startsWith(beginning) && this.variables[name]?.trim());
  }

  /** A sentence for each variable that nothing reads, with a name up to two letters from one that is read. */
  misspelled(): string[] {
    const settings = [...this.settings].filter((name) => name.length >= shortestCompared);
    return this.names('').flatMap((name) => {
      if (this.settings.has(name)) return [];
      const meant = settings.find((setting) => setting[0] === name[0] && distance(setting, name) <= 2);
      return meant === undefined ? [] : [`${name} has no effect. Did you mean ${meant}?`];
    });
  }

  list(name: string): string[] {
    const listItems = this.text(name)?.split(',') ?? [];
    return listItems.map((part) => part.trim()).filter(Boolean);
  }

  whole(name: string, fallback: number, least: number, most: number): number {
    const value = this.text(name) ?? String(fallback);
    const ok = /^\d{1,15}$/.test(value) && Number(value) >= least && Number(value) <= most;
    this.check(name, ok, `must be a whole number from ${least} to ${most}.`);
    return Number(value);
  }

  /** Whether the variable has its only value. */
  keyword(name: string, keyword: string): boolean {
    const value = this.text(name);
    this.check(name, value === null || value === keyword, `must be \`${keyword}\` or left out.`);
    return value === keyword;
  }

  /** A number of months; null if it is unset. */
  months(name: string, least: number): number | null {
    return this.text(name) === null ? null : this.whole(name, least, least, 1200);
  }

  url(name: string, pattern: RegExp, example: string): string | null {
    const value = this.text(name);
    this.check(
      name,
      value === null || (pattern.test(value) && URL.canParse(value)),
      `must be a URL such as ${example}.`,
    );
    return value;
  }

  /** The absolute path of a program. */
  program(name: string, example: string): string | null {
    const path = this.text(name);
    const isFile = path === null || (isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true);
    this.check(name, isFile, `must be the absolute path of a program on this machine, such as ${example}.`);
    return path;
  }

  /** One secret, or two while the older one is being replaced. */
  secrets(name: string, least: number): string[] {
    const values = this.list(name);
    this.check(name, values.length <= 2, 'takes one secret, or two separated by a comma.');
    const long = values.every((value) => value.length >= least);
    this.check(name, long, `must be at least ${least} characters long.`);
    return values;
  }
}
