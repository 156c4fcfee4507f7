import { at, valueOf, withValue } from '../../../contract/studio/yaml-edits.ts';
import { withTexts } from '../../../contract/studio/yaml-lists.ts';
import { isEntry, type Value } from '../../../contract/studio/yaml-written.ts';

/** A field of `studio.yaml`, or a part of one. */
export type Path = readonly [field: string, part?: string];

/** Null if it is not set, undefined if the form cannot read it. */
function valueAt(text: string, [field, part]: Path): Value | undefined {
  const content = valueOf(text);
  if (content !== null && !isEntry(content)) return undefined;
  const value = content?.[field] ?? null;
  if (part === undefined || value === null) return value;
  return isEntry(value) ? (value[part] ?? null) : undefined;
}

/** Empty if it is not set, undefined if the form cannot read it. */
export function textAt(text: string, ...path: Path): string | undefined {
  const value = valueAt(text, path);
  return value === null ? '' : typeof value === 'object' || value === undefined ? undefined : String(value);
}

export function listAt(text: string, ...path: Path): string[] | undefined {
  const value = valueAt(text, path);
  if (value === null) return [];
  return Array.isArray(value) && value.every((item) => !isEntry(item)) ? value.map(String) : undefined;
}

/** The text with this field; an empty value removes it. What cannot be changed here stays. */
export const withText = (text: string, path: Path, value: string): string =>
  changed(text, path, value === '' ? null : value);

export const withList = (text: string, path: Path, values: string[]): string =>
  changed(text, path, values.length === 0 ? null : values);

function changed(text: string, [field, part]: Path, value: string | string[] | null): string {
  const content = valueOf(text) ?? null;
  const parent = part === undefined ? content : at(content, [field]);
  const whole = part === undefined || value === null ? value : { [part]: value };
  if (valueAt(text, [field, part]) === undefined) return text;
  if (value === null) return without(text, part !== undefined && hasOnly(parent, part) ? [field] : [field, part]);
  if (content === null)
    return withValue(`${text.trim() === '' ? '' : `${text.trimEnd()}\n`}${field}: x\n`, [field], whole) ?? text;
  if (part !== undefined && !isEntry(parent)) return withValue(text, [field], whole) ?? text;
  const path = part === undefined ? [field] : [field, part];
  return (Array.isArray(value) ? withTexts(text, path, value) : withValue(text, path, value)) ?? text;
}

const hasOnly = (map: Value | undefined, key: string) =>
  isEntry(map) && Object.keys(map).every((other) => other === key);

/** A document without fields is its comments. */
function without(text: string, [field, part]: Path): string {
  if (part === undefined && hasOnly(valueOf(text), field)) return text.match(/^ *#.*\n/gm)?.join('') ?? '';
  return withValue(text, part === undefined ? [field] : [field, part], undefined) ?? text;
}
