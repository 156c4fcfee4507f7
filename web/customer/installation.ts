import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../api.ts';

/** What this installation is; it changes with a deployment. */
export const useInstallation = () =>
  useQuery({ ...operationQuery('readInstallation'), staleTime: 300_000 }).data?.installation;
