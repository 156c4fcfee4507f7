import { NumberInput } from '@mantine/core';
import { ServiceChoice } from './service-choice.tsx';

export type Claims = { families: string[]; limit: number };

type Props = { value: Claims; onChange: (claims: Claims) => void };

/** What "Take next" gives an operator. */
export const ClaimFields = ({ value, onChange }: Props) => (
  <>
    <ServiceChoice
      description="“Take next” gives only jobs of these services. Without a choice, it gives all."
      value={value.families}
      onChange={(families) => onChange({ ...value, families })}
    />
    <NumberInput
      label="Limit of jobs"
      description="“Take next” is refused while the operator holds so many."
      min={1}
      max={100}
      allowDecimal={false}
      value={value.limit}
      onChange={(limit) => onChange({ ...value, limit: Number(limit) })}
    />
  </>
);

export const sentClaims = ({ families, limit }: Claims) => ({
  service_families: families.length === 0 ? null : families,
  held_limit: limit,
});
