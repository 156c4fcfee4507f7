import type { ReactNode } from 'react';
import {
  fieldOf,
  labelOf,
  type OptionalValues,
  type StudioField,
  studioNames,
} from '../../../contract/jobs/optional-fields.ts';
import { Time } from '../time/time.tsx';

/** In the order of pages: what was added last comes first. */
export const shownNames = studioNames.toReversed();

export const optionalFacts = (
  job: Pick<OptionalValues, StudioField>,
  whose: 'Your' | 'Customer’s',
): [string, ReactNode][] => shownNames.map((name) => [labelOf(name, whose), valueOf(name, job[name])]);

function valueOf(name: StudioField, value: string | null): ReactNode {
  const { kind } = fieldOf(name);
  if (value === null || kind === 'text') return value;
  if (kind === 'date') return <Time key={name} at={value} as="weekday" />;
  return (
    <span key={name} className="capital">
      {value}
    </span>
  );
}
