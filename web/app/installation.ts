import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery } from './api.ts';

/** Milliseconds between two looks whether there is a new build; a page that is looked at again asks at once. */
const lookEvery = 300_000;

/** What this installation is; it changes with a deployment. */
export const useInstallation = () =>
  useQuery({ ...operationQuery('readInstallation'), staleTime: lookEvery, refetchInterval: lookEvery }).data
    ?.installation;

/** Whether the service has newer pages than the one that is open. */
export function useNewBuild(): boolean {
  const build = useInstallation()?.build;
  const [own, setOwn] = useState<string | null>(null);
  if (own === null && build) setOwn(build);
  return Boolean(own && build && own !== build);
}
