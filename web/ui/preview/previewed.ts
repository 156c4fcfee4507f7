import { useQuery } from '@tanstack/react-query';
import type { Encoding } from '../../../contract/files/decode-text.ts';
import { isShown } from '../../../contract/files/file-types.ts';

/** Up to how many bytes pages show a file without a click. */
export const shown = { image: 10_000_000, pdf: 25_000_000, text: 2_097_152, sound: 5_000_000 };

export type PreviewedFile = Record<'file_name' | 'content_type' | 'status', string> & {
  size_bytes: number;
  poster?: string | null;
  poster_status?: 'none' | 'pending' | 'made' | 'failed';
  width?: number | null;
  height?: number | null;
  viewing_copy?: 'none' | 'pending' | 'made' | 'failed';
};
export type Previewed = { file: PreviewedFile; url: string };

/** How a page shows a file. Types that only the catalog of the installation names are never shown. */
export function kindOf({ content_type: type }: PreviewedFile): string {
  if (!isShown(type)) return 'other';
  return type === 'application/pdf' ? 'pdf' : type === 'application/json' ? 'text' : (type.split('/')[0] ?? '');
}

/** Up to how many pixels a phone draws a picture without a click: each takes four bytes of memory. */
const phonePixels = 30_000_000;

/** Whether all pixels may be too much for a phone, or for somebody who saves data. */
export function isTooMuch({ size_bytes, width, height }: PreviewedFile): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!connection?.saveData && !matchMedia('(pointer: coarse)').matches) return false;
  return size_bytes > shown.image || (width ?? 0) * (height ?? 0) > phonePixels;
}

/** The beginning of a text, read once. `decode` reads it in its own encoding or in another. */
export const useText = (key: string, url: string | null, most = shown.text) =>
  useQuery({
    queryKey: ['text', key, most],
    queryFn: async () => {
      const { decodeText } = await import('../../../contract/files/decode-text.ts');
      const bytes = new Uint8Array(await (await fetchFile(url ?? '', most + 1)).arrayBuffer());
      const isWhole = bytes.length <= most;
      const decode = (encoding?: Encoding) => decodeText(bytes.subarray(0, most), { isWhole, encoding });
      return { isWhole, decode };
    },
    enabled: url !== null,
    staleTime: 'static',
  });

/** The file, or as many bytes of its beginning. */
export async function fetchFile(url: string, bytes?: number): Promise<Response> {
  const answer = await fetch(url, bytes === undefined ? {} : { headers: { range: `bytes=0-${bytes - 1}` } });
  if (!answer.ok) throw new Error(`The file answered ${answer.status}.`);
  return answer;
}

/** Why a file is not shown: it does not come, or this browser cannot show it. Elements do not tell. */
export type Fault = 'lost' | 'broken';
export const faultOf = (url: string | null): Promise<Fault> =>
  fetchFile(url ?? '', 1).then(
    () => 'broken',
    () => 'lost',
  );
