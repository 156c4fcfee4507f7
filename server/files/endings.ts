import { fileTypes } from '../../contract/files/file-types.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { Refusal } from '../http/refusal.ts';

type Others = Catalog['fileTypes'];

/** In lower case; empty if the name has none. */
export const endingOf = (fileName: string): string =>
  /\.([\p{L}\p{N}_-]{1,20})$/u.exec(fileName)?.[1]?.toLowerCase() ?? '';

/** Every type that is taken, with its endings. A page shows the common ones. */
export const takenTypes = (others: Others) => [
  ...Object.entries(fileTypes).map(([media_type, ending]) => ({
    media_type,
    extensions: ending === 'jpg' ? ['jpg', 'jpeg'] : ending === 'md' ? ['md', 'markdown'] : [ending],
    shown: true,
  })),
  ...[...others].map(([media_type, { extensions }]) => ({ media_type, extensions, shown: false })),
];

export const typeByEnding = (others: Others, ending: string): string | undefined =>
  takenTypes(others).find(({ extensions }) => extensions.includes(ending))?.media_type;

const groups = { image: 'pictures', audio: 'sound', video: 'film', font: 'fonts', model: 'models', text: 'text' };

/** Names what is refused, what to do, and what is taken. */
export function unsupported({ fileTypes: others }: Pick<Catalog, 'fileTypes'>, type: string, ending: string): Refusal {
  const isKind = ending === '' || typeByEnding(others, ending) !== undefined;
  const typed = /^[\w.+-]+\/[\w.+-]+$/.test(type) ? `of the type ${type}` : 'of this kind';
  const kind = ending === '' && /^$|octet-stream$/.test(type) ? 'without a type and an ending' : typed;
  const byGroup = Object.groupBy(takenTypes(others), ({ media_type }) => {
    const main = media_type.split('/')[0] ?? '';
    return Object.hasOwn(groups, main) ? groups[main as keyof typeof groups] : 'documents and others';
  });
  const lists = Object.entries(byGroup).map(([group, types = []]) => {
    const endings = new Set(types.flatMap(({ extensions }) => extensions));
    return `${group} (${[...endings].join(', ')})`;
  });
  return new Refusal('unsupported_file', {
    message: `${isKind ? `Files ${kind}` : `.${ending} files`} are not taken. Send the file in a .zip.`,
    action: `Send the file in a .zip, or one of these kinds: ${lists.join('; ')}.`,
  });
}
