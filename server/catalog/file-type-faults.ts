import { fileTypes, otherNames } from '../../contract/files/file-types.ts';
import type { Fault } from './yaml-file.ts';

/** File endings that make a computer run a file, whatever it holds. */
const executable =
  /^(?:apk|app|bat|cmd|com|cpl|dll|dmg|exe|hta|jar|jse?|lnk|mjs|msi|msp|pif|ps1|psm1|py|reg|scr|sh|url|vb[es]?|wsf|wsh)$/;

export function* fileTypeFaults(content: unknown): Generator<Fault> {
  const { file_types } = (content ?? {}) as { file_types?: unknown };
  const common = new Set<unknown>(Object.values(fileTypes));
  const names = new Set<unknown>([...Object.keys(fileTypes), ...otherNames.keys(), 'application/octet-stream']);
  const types = Array.isArray(file_types) ? file_types : [];
  for (const [i, type] of types.entries()) {
    const path = ['file_types', i, 'media_type'];
    if (Object.hasOwn(fileTypes, type?.media_type)) yield { path, message: 'is a type that every installation takes' };
    else if (names.has(type?.media_type)) yield { path, message: `"${String(type?.media_type)}" stands here twice` };
    if (type?.media_type) names.add(type.media_type);
  }
  for (const [i, type] of types.entries()) {
    for (const [j, name] of Array.isArray(type?.aliases) ? type.aliases.entries() : []) {
      const path = ['file_types', i, 'aliases', j];
      if (names.has(name)) yield { path, message: `"${String(name)}" is the name of a type already` };
      names.add(name);
    }
    for (const [j, ending] of Array.isArray(type?.extensions) ? type.extensions.entries() : []) {
      const path = ['file_types', i, 'extensions', j];
      if (common.has(ending))
        yield { path, message: `"${String(ending)}" belongs to a type that every installation takes` };
      if (executable.test(String(ending))) yield { path, message: `"${String(ending)}" is an ending of programs` };
    }
  }
}
