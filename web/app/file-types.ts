import { fileTypes } from '../../contract/files/file-types.ts';
import { operationQuery, queryClient } from './api.ts';
import { useInstallation } from './installation.ts';

/** The types that a file chooser offers: until the installation is read, those of every installation. */
export function useAcceptedTypes(): string {
  const types = useInstallation()?.file_types;
  const accepted = types
    ? types.flatMap(({ media_type, extensions }) => [media_type, ...extensions.map((ending) => `.${ending}`)])
    : Object.entries(fileTypes).flatMap(([type, ending]) => [type, `.${ending}`]);
  return accepted.join(',');
}

/** Uses the file extension: a browser's type for .zip or .csv depends on installed programs. */
export async function typeByEnding(name: string): Promise<string | undefined> {
  const { installation } = await queryClient.ensureQueryData(operationQuery('readInstallation'));
  const ending = name.split('.').at(-1)?.toLowerCase() ?? '';
  return installation.file_types.find(({ extensions }) => extensions.includes(ending))?.media_type;
}
