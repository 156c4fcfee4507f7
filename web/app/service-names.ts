import { useMemo } from 'react';
import type { Output } from './api.ts';
import { catalogRead } from './reads.ts';
import { useRead } from './use-reads.ts';

/** "Design · Logo" for the ids of a job; the id itself if it is no longer sold. */
export function useServiceNames() {
  const { data } = useRead(catalogRead);
  return useMemo(() => namesIn(data), [data]);
}

function namesIn(data: Output<'readCatalog'> | undefined) {
  const family = (id: string) => data?.service_families.find((item) => item.id === id);
  const familyName = (id: string) => family(id)?.name ?? id;
  const optionName = (id: string, option: string) =>
    family(id)?.service_options.find((item) => item.id === option)?.name ?? option;
  return {
    families: data?.service_families ?? [],
    businessHours: data?.business_hours ?? null,
    requirements: (id: string) => family(id)?.intake_requirements ?? [],
    qualitySignals: (id: string) => family(id)?.quality_signals ?? [],
    familyName,
    optionName,
    /** Without an option the name of the family. */
    service: (id: string, option: string | null) =>
      [familyName(id), option && optionName(id, option)].filter(Boolean).join(' · '),
  };
}
