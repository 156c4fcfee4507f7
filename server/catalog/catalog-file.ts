import { type Static, type TSchema, Type } from 'typebox';
import { AccessKind, Plan, RequirementKind } from '../../contract/ordering/catalog.ts';
import { Closed, Email, hidden } from '../../contract/shapes.ts';

const id = Type.String({ pattern: '^[a-z][a-z0-9_]{0,49}$' });
const line = Type.String({ pattern: '^\\S(?:[^\\p{Cc}]{0,498}\\S)?$' });
// A label is found by its letters, so it must not end with a mark that also separates a label from its
// answer.
const label = Type.String({ pattern: "^[\\p{L}\\p{N}][\\p{L}\\p{N} ,&/'’-]{0,58}[\\p{L}\\p{N}]$" });
export const mediaType = '^[a-z]+/[a-z0-9][a-z0-9.+-]{0,99}$';
export const extension = '^[a-z0-9]{1,10}$';
export const firstBytes = '^(?:[0-9a-f]{2}|\\?\\?)(?: (?:[0-9a-f]{2}|\\?\\?)){0,31}$';
const hours = Type.Integer({ minimum: 1, maximum: 8760 });
/** Of a checklist. */
const checkedItem = Type.String({ pattern: '^\\S(?:[^\\p{Cc}]{0,118}\\S)?$' });
/** Still understood where something refers to it, but no longer offered. */
const retired = Type.Optional(Type.Boolean());
const some = <S extends TSchema>(items: S) => Type.Array(items, { minItems: 1 });

export const FamiliesFile = Closed({
  families: some(
    Closed({
      id,
      name: line,
      description: line,
      retired,
      options: some(
        Closed({
          id,
          name: line,
          description: line,
          example_words: Type.Optional(line),
          retired,
          turnaround_hours: hours,
          quality_review: Type.Optional(Type.Boolean()),
          reviewer: Type.Optional(Type.Enum(['other'])),
          revision_rounds: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
          revision_hours: Type.Optional(hours),
          checklist: Type.Optional(Type.Array(checkedItem, { minItems: 1, maxItems: 20 })),
          auto_approval_hours: hours,
        }),
      ),
      intake_requirements: some(
        Closed({
          label,
          hint: line,
          example: line,
          question: Type.Optional(line),
          optional: Type.Optional(Type.Boolean()),
          brand: Type.Optional(label),
          also_called: Type.Optional(Type.Array(label, { maxItems: 20 })),
          kind: Type.Optional(RequirementKind),
          choices: Type.Optional(Type.Array(line, { minItems: 2, maxItems: 20 })),
          only_for: Type.Optional(some(id)),
          not_for: Type.Optional(some(id)),
        }),
      ),
      quality_signals: some(line),
    }),
  ),
});
export type FamiliesFile = Static<typeof FamiliesFile>;

/** `file-types.yaml`; its header explains each field. */
export const FileTypesFile = Closed({
  file_types: Type.Array(
    Closed({
      media_type: Type.String({ pattern: mediaType }),
      extensions: some(Type.String({ pattern: extension })),
      aliases: Type.Optional(some(Type.String({ pattern: mediaType }))),
      starts_with: Type.Optional(some(Type.String({ pattern: firstBytes }))),
    }),
  ),
});
export type FileTypesFile = Static<typeof FileTypesFile>;

export const span = '^(?:[01]\\d|2[0-3]):[0-5]\\d-(?:(?:[01]\\d|2[0-3]):[0-5]\\d|24:00)$';
export const dayOff = '^\\d{4}-\\d\\d-\\d\\d$';
const spans = Type.Optional(Type.Array(Type.String({ pattern: span }), { maxItems: 10 }));

/** One line of visible text. */
const words = (most: number) =>
  Type.Optional(Type.String({ maxLength: most, pattern: `^[^${hidden}\\s](?:[^${hidden}]*[^${hidden}\\s])?$` }));
export const pictureName = '^[A-Za-z0-9][\\w.-]{0,99}\\.(?:svg|png)$';
export const hexColor = '^#[0-9A-Fa-f]{6}$';
export const webAddress = '^https://[^\\s"\'<>]{1,500}$';
const pictureFile = Type.Optional(Type.String({ pattern: pictureName }));
const address = Type.Optional(Type.String({ pattern: webAddress }));

/** `studio.yaml`, which may be missing. Without hours and holidays all hours count. */
export const StudioFile = Closed({
  name: words(60),
  tagline: words(140),
  mark: pictureFile,
  mark_dark: pictureFile,
  icon: pictureFile,
  accent: Type.Optional(Type.String({ pattern: hexColor })),
  support: Type.Optional(Closed({ email: Type.Optional(Email), url: address })),
  links: Type.Optional(Closed({ terms: address, privacy: address, imprint: address })),
  mail_footer: words(300),
  time_zone: Type.Optional(Type.String()),
  hours: Type.Optional(Closed({ mon: spans, tue: spans, wed: spans, thu: spans, fri: spans, sat: spans, sun: spans })),
  holidays: Type.Optional(Type.Array(Type.String({ pattern: dayOff }), { maxItems: 500 })),
});
export type StudioFile = Static<typeof StudioFile>;

const { quota, concurrency_limit, price } = Plan.properties;

export const PlansFile = Closed({
  plans: some(
    Closed({
      code: id,
      name: line,
      retired,
      access_kind: AccessKind,
      unit: id,
      quota,
      concurrency_limit,
      price: Closed({
        ...price.properties,
        id: line,
        product: line,
        currency: Type.String({ pattern: '^[a-z]{3}$' }),
      }),
    }),
  ),
});
export type PlansFile = Static<typeof PlansFile>;
