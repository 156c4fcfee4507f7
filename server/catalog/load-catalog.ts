import { createHash } from 'node:crypto';
import type { CatalogProblem as Problem } from '../../contract/desk/catalog-versions.ts';
import { jobStatuses } from '../../contract/moves.ts';
import type { Catalog, Family, FileType, Option, Requirement } from './catalog.ts';
import { FamiliesFile, FileTypesFile, PlansFile } from './catalog-file.ts';
import { readPattern } from '../lib/byte-pattern.ts';
import { fileTypeFaults } from './file-type-faults.ts';
import { type Documents, readFolder, showProblem } from './documents.ts';
import { viewFaults } from './excess.ts';
import { idsIn, servicesIn } from './ids-in.ts';
import { loadStudio } from './load-studio.ts';
import { loadPictures } from './load-pictures.ts';
import type { Cleaned } from './load-marks.ts';
import { type Fault, type Path, readYaml } from './yaml-file.ts';

export type Loaded = ({ catalog: Catalog; problems: [] } | { catalog: null; problems: Problem[] }) & {
  /** What the documents name, also if they have problems. Null for a file that cannot be read. */
  named: { services: ReadonlySet<string> | null; plans: ReadonlySet<string> | null };
  /** What is never served of SVG files. */
  cleaned: Cleaned[];
};

/** Reads the files of a folder. Throws one error with every problem. */
export function loadCatalog(dir: string): Catalog {
  const { catalog, problems } = loadDocuments(readFolder(dir));
  if (catalog === null)
    throw new Error(
      ['The catalog cannot be used:', ...problems.map((problem) => showProblem(problem, dir))].join('\n'),
    );
  return catalog;
}

/** The catalog that documents describe, or every problem in them. */
export function loadDocuments(documents: Documents): Loaded {
  const sold = readYaml(documents, 'families.yaml', FamiliesFile, familyFaults);
  const tiers = readYaml(documents, 'plans.yaml', PlansFile, planFaults);
  const types = readYaml(documents, 'file-types.yaml', FileTypesFile, fileTypeFaults);
  const named = { services: servicesIn(sold.raw), plans: idsIn(tiers.raw, 'plans', 'code') };
  const options = sold.content?.families.flatMap((family) => family.options) ?? [];
  const { studio, businessHours, lacksTimeZone, ...loaded } = loadStudio(documents, options);
  const { paths, pictures, problems } = loadPictures(documents, named.services ?? new Set());
  const rest = { named, cleaned: loaded.cleaned };
  if (!sold.content || !tiers.content || !types.content || loaded.problems.length > 0 || problems.length > 0)
    return {
      catalog: null,
      problems: [
        ...sold.problems,
        ...tiers.problems,
        ...types.problems,
        ...loaded.problems,
        ...(named.services ? problems : []),
      ],
      ...rest,
    };
  const all = sold.content.families;
  const every = all.map((family) => asFamily(family, paths, businessHours !== null));
  const retired = new Set(all.flatMap(retiredIn));
  const families = optionsOf(every, ({ id }, option) => !retired.has(`${id}/${option.id}`));
  const retiredFamilies = optionsOf(every, ({ id }, option) => retired.has(`${id}/${option.id}`)).map(asView);
  const view = Object.freeze({
    service_families: families.map(asView),
    job_statuses: [...jobStatuses],
    business_hours: businessHours,
  });
  const catalog = {
    families: new Map(families.map((family) => [family.id, family])),
    everyFamily: new Map(every.map((family) => [family.id, family])),
    retired,
    plans: new Map(tiers.content.plans.map((plan) => [plan.code, { retired: false, ...plan }])),
    fileTypes: new Map(types.content.file_types.map((type) => [type.media_type, asFileType(type)])),
    pictures: new Map([...pictures, ...loaded.pictures]),
    studio,
    businessHours,
    lacksTimeZone,
    view,
    retiredFamilies,
    index: Object.freeze({ ...view, service_families: [], index: families.map(asIndexed) }),
    etag: `"${createHash('sha256')
      .update(JSON.stringify([view, retiredFamilies]))
      .digest('base64url')}"`,
  };
  return { catalog, problems: [], ...rest };
}

type FamilyEntry = FamiliesFile['families'][number];

const retiredIn = ({ id, options, retired = false }: FamilyEntry): string[] => [
  ...(retired ? [id] : []),
  ...options.filter((option) => retired || option.retired).map((option) => `${id}/${option.id}`),
];

/** Families with the options that a rule takes, without those of which none is left. */
const optionsOf = (families: Family[], takes: (family: Family, option: Option) => boolean): Family[] =>
  families
    .map((family) => ({ ...family, options: family.options.filter((option) => takes(family, option)) }))
    .filter(({ options }) => options.length > 0);

function asFamily(sold: FamilyEntry, pictures: ReadonlyMap<string, string>, business_time: boolean): Family {
  const { retired: _retired, ...family } = sold;
  const requirements = family.intake_requirements.map((requirement) => asRequirement(family, requirement));
  return {
    ...family,
    options: family.options.map((entry) => {
      const { reviewer, retired: _retired, ...option } = entry;
      return {
        ...option,
        example_words: option.example_words ?? null,
        business_time,
        checklist: option.checklist ?? [],
        quality_review: option.quality_review ?? true,
        other_reviewer: reviewer === 'other',
        revision_rounds: option.revision_rounds ?? 2,
        revision_hours: option.revision_hours ?? null,
        intake_requirements: requirements
          .filter(({ options }) => options.has(option.id))
          .map(({ label, kind, choices, optional, brand }) => ({ label, kind, choices, optional, brand })),
        picture: pictures.get(`${family.id}/${option.id}`) ?? null,
      };
    }),
    intake_requirements: requirements,
  };
}

const asRequirement = (
  { options }: FamilyEntry,
  { only_for, not_for = [], ...requirement }: FamilyEntry['intake_requirements'][number],
): Requirement => ({
  ...requirement,
  question: requirement.question ?? `What can you tell me about “${requirement.label}”?`,
  also_called: requirement.also_called ?? [],
  optional: requirement.optional ?? false,
  kind: requirement.kind ?? 'text',
  brand: requirement.brand ?? null,
  choices: requirement.choices ?? [],
  options: new Set((only_for ?? options.map(({ id }) => id)).filter((id) => !not_for.includes(id))),
});

const asFileType = ({ extensions, aliases = [], starts_with = [] }: FileTypesFile['file_types'][number]): FileType => ({
  extensions,
  aliases,
  beginnings: starts_with.map(readPattern),
});

function viewOption(option: Option) {
  const { business_time: _, checklist: _checklist, ...view } = option;
  return view;
}

const asIndexed = ({ id, name, description, options }: Family) => ({
  id,
  name,
  description,
  service_options: options.map((option) => ({ id: option.id, name: option.name })),
});

const asView = ({ id, name, description, options, intake_requirements, quality_signals }: Family) => ({
  id,
  name,
  description,
  intake_requirements: intake_requirements.map(({ label }) => label),
  intake_hints: intake_requirements.map(({ label, hint, example, optional }) => ({
    requirement: label,
    hint,
    example,
    optional,
  })),
  quality_signals,
  service_options: options.map(viewOption),
});

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

function* familyFaults(content: unknown): Generator<Fault> {
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

function* planFaults(content: unknown): Generator<Fault> {
  const { plans } = (content ?? {}) as { plans?: unknown };
  yield* repeated(plans, ['plans'], 'code');
  yield* repeated(plans, ['plans'], 'price.id');
}
