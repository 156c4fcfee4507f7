import type { Static } from 'typebox';
import type { ServiceFamily } from '../../contract/catalog.ts';

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
