import type { Delivery, File, Job } from '../../client/generated/types.gen.ts';
import { isFilm, isPicture, isShown } from '../../contract/files/file-types.ts';
import { type Box, fragmentOf } from '../ui/review/place.ts';

/** What to change at a place of a file, or in the whole file. */
export type Note = { fileId: string; box: Box | null; text: string };

export type Review = {
  job: Job;
  delivery: Delivery;
  stage: 'looking' | 'approving' | 'asking';
  notes: Note[];
  words: string;
  isBusy: boolean;
  problem: string | null;
};

export const openReview = (job: Job, delivery: Delivery): Review => ({
  job,
  delivery,
  stage: 'looking',
  notes: [],
  words: '',
  isBusy: false,
  problem: null,
});

/** In the order of the delivery. */
export const filesOf = ({ job, delivery }: Pick<Review, 'job' | 'delivery'>): File[] =>
  delivery.file_ids.flatMap((id) => job.files.find((file) => file.id === id) ?? []);

export const isPdf = ({ content_type }: File): boolean => content_type === 'application/pdf';

/** A poster is the picture, or the first page of a PDF. A frame of a video has no time to point at. */
export const takesPins = (file: File): boolean => file.poster !== null && (isPicture(file.content_type) || isPdf(file));

/** Says what a poster shows, unless it is the whole file. */
export function sayPoster(file: File): string {
  if (file.poster === null) return '';
  if (isPdf(file)) return 'first page';
  if (isFilm(file.content_type)) return 'a frame of the film';
  if (!isShown(file.content_type)) return 'a drawing';
  const { width, height } = file;
  const isSmaller = width !== null && height !== null && Math.max(width, height) > posterSide;
  return isSmaller ? `reduced from ${width.toLocaleString()} × ${height.toLocaleString()}` : '';
}

/** The longer side of posters of pictures that browsers show. */
const posterSide = 1_024;

/** What stands in place of a poster. */
export function sayUnseen(file: File, opens: boolean): string {
  if (file.poster_status === 'pending') return 'The service is drawing this file.';
  const { content_type: type } = file;
  const verb = isFilm(type) ? 'play' : type.startsWith('audio/') ? 'hear' : type.startsWith('text/') ? 'read' : 'see';
  return `This file cannot be shown here.${opens ? ` Open it to ${verb} it.` : ''}`;
}

/** The arguments of `request_revision`, or what is missing. */
export function revisionOf({ job, delivery, notes, words }: Review): { args: Record<string, unknown> } | string {
  const empty = notes.findIndex(({ text }) => text.trim() === '');
  if (empty >= 0) return `Write what to change at place ${empty + 1}, or remove it.`;
  if (notes.length === 0 && words.trim() === '') return 'Write what to change, or mark a place in a picture.';
  const comments = notes.map(({ fileId, box, text }) => ({ file_id: fileId, text, ...placeOf(job, fileId, box) }));
  return {
    args: {
      job_id: job.id,
      round: delivery.round,
      ...(words.trim() ? { customer_instructions: words } : {}),
      ...(comments.length > 0 ? { comments } : {}),
    },
  };
}

function placeOf({ files }: Job, fileId: string, box: Box | null): { at?: string } {
  if (!box) return {};
  const file = files.find(({ id }) => id === fileId);
  return { at: fragmentOf({ ...(file && isPdf(file) ? { page: 1 } : {}), box }) };
}
