/** Largest files shown in the page, in bytes. */
export const shown = { image: 10_000_000, pdf: 25_000_000, text: 65_536 };

type PreviewedFile = { file_name: string; content_type: string; size_bytes: number; status: string };
export type Previewed = { file: PreviewedFile; url: string };

export const kindOf = ({ content_type: type }: PreviewedFile) =>
  type === 'application/pdf' ? 'pdf' : type === 'application/json' ? 'text' : (type.split('/')[0] ?? '');
