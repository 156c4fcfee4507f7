import { createHash } from 'node:crypto';
import type { CatalogProblem as Problem } from '../../contract/desk/catalog-versions.ts';
import { jobStatuses } from '../../contract/moves.ts';
import type { Catalog, Family, FileType, Option, Requirement } from './catalog.ts';
import { familyFaults, planFaults } from './catalog-faults.ts';
import { FamiliesFile, FileTypesFile, PlansFile } from './catalog-file.ts';
import { readPattern } from '../lib/byte-pattern.ts';
import { fileTypeFaults } from './file-type-faults.ts';
import { type Documents, readFolder, showProblem } from './documents.ts';
import { idsIn, servicesIn } from './ids-in.ts';
import { loadStudio } from './load-studio.ts';
import { loadPictures } from './load-pictures.ts';
import type { Cleaned } from './load-marks.ts';
import { readYaml } from './yaml-file.ts';

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
