import { viewFaults } from './excess.ts';
import type { Fault, Path } from './yaml-file.ts';

/** A name as the answer matcher compares it. */
const plain = (name: unknown) =>
  String(name)
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');

/** Every entry that repeats an earlier value at `key`. Accepts anything, even a wrong shape. */
function* repeated(list: unknown, path: Path, key: string): Generator<Fault> {
  const seen = new Set<string>();
  for (const [i, entry] of Array.isArray(list) ? list.entries() : []) {
    const value = key.split('.').reduce((part, name) => part?.[name], entry);
    if (typeof value !== 'string') continue;
    if (seen.has(plain(value)))
      yield { path: [...path, i, ...key.split('.')], message: `"${value}" stands here twice` };
    seen.add(plain(value));
  }
}

/** A name that another requirement of the family already has: answers under it would go to the first. */
function* sharedNames(requirements: unknown, path: Path): Generator<Fault> {
  const owners = new Map<string, number>();
  const each = Array.isArray(requirements) ? [...requirements.entries()] : [];
  for (const [i, requirement] of each)
    if (!owners.has(plain(requirement?.label))) owners.set(plain(requirement?.label), i);
  for (const [i, requirement] of each)
    for (const [j, name] of Array.isArray(requirement?.also_called) ? requirement.also_called.entries() : []) {
      const owner = owners.get(plain(name));
      if (owner !== undefined)
        yield { path: [...path, i, 'also_called', j], message: `"${String(name)}" is a name already` };
      owners.set(plain(name), i);
    }
}

export function* familyFaults(content: unknown): Generator<Fault> {
  const { families } = (content ?? {}) as { families?: unknown };
  yield* repeated(families, ['families'], 'id');
  yield* viewFaults(families);
  for (const [i, family] of Array.isArray(families) ? families.entries() : []) {
    yield* repeated(family?.options, ['families', i, 'options'], 'id');
    yield* reviewerFaults(family?.options, ['families', i, 'options']);
    yield* emptyFaults(family, ['families', i, 'options']);
    yield* repeated(family?.intake_requirements, ['families', i, 'intake_requirements'], 'label');
    yield* sharedNames(family?.intake_requirements, ['families', i, 'intake_requirements']);
    yield* requirementFaults(family?.options, family?.intake_requirements, ['families', i, 'intake_requirements']);
  }
}

/** A family with nothing to order. Accepts anything, even a wrong shape. */
function* emptyFaults(family: unknown, path: Path): Generator<Fault> {
  const { options, retired } = (family ?? {}) as { options?: unknown; retired?: unknown };
  if (retired === true || !Array.isArray(options) || options.length === 0) return;
  if (options.every((option) => option?.retired === true))
    yield { path, message: 'are all retired: retire the family, too' };
}

function* reviewerFaults(options: unknown, path: Path): Generator<Fault> {
  for (const [i, option] of Array.isArray(options) ? options.entries() : [])
    if (option?.reviewer !== undefined && option.quality_review === false)
      yield { path: [...path, i, 'reviewer'], message: 'needs a quality review, which the option leaves out' };
}

/** Options that the family lacks, and a `choice` without choices. Accepts anything, even a wrong shape. */
function* requirementFaults(options: unknown, requirements: unknown, path: Path): Generator<Fault> {
  const ids = new Set<unknown>(Array.isArray(options) ? options.map((option) => option?.id) : []);
  for (const [i, requirement] of Array.isArray(requirements) ? requirements.entries() : []) {
    for (const key of ['only_for', 'not_for'])
      for (const [j, id] of Array.isArray(requirement?.[key]) ? requirement[key].entries() : [])
        if (!ids.has(id)) yield { path: [...path, i, key, j], message: `"${String(id)}" is no option of the family` };
    if (requirement?.only_for && requirement?.not_for)
      yield { path: [...path, i, 'not_for'], message: 'says it twice: only_for names the options already' };
    if ((requirement?.kind === 'choice') !== Array.isArray(requirement?.choices))
      yield {
        path: [...path, i, 'choices'],
        message: 'must be there if the kind is choice, and only then',
      };
    if (requirement?.brand && requirement.kind === 'files')
      yield { path: [...path, i, 'brand'], message: 'a fact is text, and cannot answer a requirement of files' };
  }
}

export function* planFaults(content: unknown): Generator<Fault> {
  const { plans } = (content ?? {}) as { plans?: unknown };
  yield* repeated(plans, ['plans'], 'code');
  yield* repeated(plans, ['plans'], 'price.id');
}
