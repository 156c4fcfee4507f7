import Type, { type Static } from 'typebox';
import { Catalog, RequirementKind, ServiceFamily, ServiceOption } from '../../contract/ordering/catalog.ts';
import { Closed } from '../../contract/shapes.ts';

export type Family = Static<typeof ServiceFamily>;

/**
 * A family that says once what it asks for: each hint has the kind and the choices of its requirement, and an
 * option lists only the labels, and these only if they are not all of the family's.
 */
export function thinFamily({ intake_hints, service_options, ...family }: Family) {
  const requirements = service_options.flatMap((option) => option.intake_requirements);
  return {
    ...family,
    intake_hints: intake_hints.map((hint) => {
      const { kind = 'text', choices = [] } = requirements.find(({ label }) => label === hint.requirement) ?? {};
      return { ...hint, ...(kind === 'text' ? {} : { kind }), ...(choices.length > 0 ? { choices } : {}) };
    }),
    service_options: service_options.map(({ intake_requirements, ...option }) =>
      intake_requirements.length === intake_hints.length
        ? option
        : { ...option, intake_requirements: intake_requirements.map(({ label }) => ({ label })) },
    ),
  };
}

const { intake_requirements: _, picture: _picture, example_words: _words, ...option } = ServiceOption.properties;
const { intake_hints: hints, ...family } = ServiceFamily.properties;

/** What `get_catalog` answers. */
export const ThinCatalog = Closed({
  service_families: Type.Array(
    Closed({
      ...family,
      intake_hints: Type.Array(
        Closed({
          ...hints.items.properties,
          kind: Type.Optional(RequirementKind),
          choices: Type.Optional(Type.Array(Type.String(), { description: 'The answers to choose from.' })),
        }),
        { description: 'For each intake requirement, in the same order. Without a `kind` the answer is a `text`.' },
      ),
      service_options: Type.Array(
        Closed({
          ...option,
          intake_requirements: Type.Optional(
            Type.Array(Closed({ label: Type.String() }), { description: 'Only where they are not all of the family.' }),
          ),
        }),
      ),
    }),
  ),
  business_hours: Catalog.properties.business_hours,
  index: Catalog.properties.index,
});
