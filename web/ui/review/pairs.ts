type Named = { id: string; file_name: string; content_type: string };
export type Pair<File> = { earlier: File; later: File };

/**
 * Pairs the files of two deliveries: by name, and the others by order if they are of one kind.
 * What is left of the later delivery is new.
 */
export function pairFiles<File extends Named>(earlier: File[], later: File[]): { pairs: Pair<File>[]; added: File[] } {
  const partner = new Map<File, File>();
  const free = new Set(earlier);
  const match = (fits: (file: File, before: File) => boolean) => {
    for (const file of later) {
      if (partner.has(file)) continue;
      const before = [...free].find((candidate) => fits(file, candidate));
      if (!before) continue;
      partner.set(file, before);
      free.delete(before);
    }
  };
  match((file, before) => file.file_name === before.file_name);
  match((file, before) => file.file_name.toLowerCase() === before.file_name.toLowerCase());
  match((file, before) => kindOf(file) === kindOf(before));
  return {
    pairs: later.flatMap((file) => {
      const before = partner.get(file);
      return before ? [{ earlier: before, later: file }] : [];
    }),
    added: later.filter((file) => !partner.has(file)),
  };
}

/** All pictures are of one kind, and so are all films; a PDF is none with an archive. */
const kindOf = ({ content_type: type }: Named): string =>
  type.startsWith('application/') ? type : (type.split('/')[0] ?? '');
