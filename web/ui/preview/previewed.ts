import type { File as StoredFile } from '../../app/api.ts';

/** Bytes up to which a file is shown in the page; what is larger is downloaded. */
export const shown = { image: 10_000_000, pdf: 25_000_000, text: 65_536 };

export type Previewed = { file: StoredFile; url: string };

export const kindOf = ({ content_type: type }: StoredFile) =>
  type === 'application/pdf' ? 'pdf' : type === 'application/json' ? 'text' : (type.split('/')[0] ?? '');
