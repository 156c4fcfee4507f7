import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery } from './api.ts';

/** Milliseconds between checks for a new build. */
const lookEvery = 300_000;

/** Changes only with a deployment. */
export const useInstallation = () =>
  useQuery({ ...operationQuery('readInstallation'), staleTime: lookEvery, refetchInterval: lookEvery }).data
    ?.installation;

export function useNewBuild(): boolean {
  const build = useInstallation()?.build;
  const [own, setOwn] = useState<string | null>(null);
  if (own === null && build) setOwn(build);
  return Boolean(own && build && own !== build);
}
