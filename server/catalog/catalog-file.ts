import { type Static, type TSchema, Type } from 'typebox';
import { AccessKind, Plan } from '../../contract/catalog.ts';
import { Closed } from '../../contract/shapes.ts';

const id = Type.String({ pattern: '^[a-z][a-z0-9_]{0,49}$' });
const line = Type.String({ pattern: '^\\S(?:[^\\p{Cc}]{0,498}\\S)?$' });
// A label is found by its letters, so it must not end with a mark that also separates a label from its
// answer.
const label = Type.String({ pattern: "^[\\p{L}\\p{N}][\\p{L}\\p{N} ,&/'’-]{0,58}[\\p{L}\\p{N}]$" });
export const mediaType = '^[a-z]+/[a-z0-9][a-z0-9.+-]{0,99}$';
export const extension = '^[a-z0-9]{1,10}$';
export const firstBytes = '^(?:[0-9a-f]{2}|\\?\\?)(?: (?:[0-9a-f]{2}|\\?\\?)){0,31}$';
const hours = Type.Integer({ minimum: 1, maximum: 8760 });
const some = <S extends TSchema>(items: S) => Type.Array(items, { minItems: 1 });

export const FamiliesFile = Closed({
  families: some(
    Closed({
      id,
      name: line,
      description: line,
      options: some(
        Closed({
          id,
          name: line,
          description: line,
          turnaround_hours: hours,
          quality_review: Type.Optional(Type.Boolean()),
          revision_rounds: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
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
          also_called: Type.Optional(Type.Array(label, { maxItems: 20 })),
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
      starts_with: Type.Optional(some(Type.String({ pattern: firstBytes }))),
    }),
  ),
});
export type FileTypesFile = Static<typeof FileTypesFile>;

const { quota, concurrency_limit, price } = Plan.properties;

export const PlansFile = Closed({
  plans: some(
    Closed({
      code: id,
      name: line,
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
