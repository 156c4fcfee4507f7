import { useMemo } from 'react';
import type { Output } from './api.ts';
import { catalogRead } from './reads.ts';
import { useRead } from './use-reads.ts';

/** "Design · Logo" for the ids of a job, also if it is no longer sold. */
export function useServiceNames() {
  const { data } = useRead(catalogRead);
  return useMemo(() => namesIn(data), [data]);
}

function namesIn(data: Output<'readCatalog'> | undefined) {
  const families = data?.service_families ?? [];
  const everyFamily = withRetired(families, data?.retired_families ?? []);
  const family = (id: string) => everyFamily.find((item) => item.id === id);
  const familyName = (id: string) => family(id)?.name ?? id;
  const optionName = (id: string, option: string) =>
    family(id)?.service_options.find((item) => item.id === option)?.name ?? option;
  return {
    /** What can be ordered. */
    families,
    /** For work that was ordered: filters, choices of the desk, facts of a job. */
    everyFamily,
    businessHours: data?.business_hours ?? null,
    requirements: (id: string) => family(id)?.intake_requirements ?? [],
    qualitySignals: (id: string) => family(id)?.quality_signals ?? [],
    familyName,
    optionName,
    /** Without an option the name of the family. */
    service: (id: string, option: string | null) =>
      [familyName(id), option && optionName(id, option)].filter(Boolean).join(' · '),
    /** False only once the catalog has said so. */
    isRetired: (id: string, option: string | null) => {
      const sold = families.find((item) => item.id === id)?.service_options;
      return data !== undefined && !sold?.some((item) => option === null || item.id === option);
    },
  };
}

type Families = Output<'readCatalog'>['service_families'];

/** A family that is still sold comes once, with its retired options at the end. */
function withRetired(offered: Families, retired: Families): Families {
  const leftOut = (id: string) => retired.find((family) => family.id === id)?.service_options ?? [];
  return [
    ...offered.map((family) => ({ ...family, service_options: [...family.service_options, ...leftOut(family.id)] })),
    ...retired.filter(({ id }) => !offered.some((family) => family.id === id)),
  ];
}
