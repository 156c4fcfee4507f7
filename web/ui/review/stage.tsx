import { Suspense } from 'react';
import { part } from '../page/part.tsx';
import { ImageStage } from './image-stage.tsx';
import { OtherStage } from './other-stage.tsx';
import { type StageKind, stageKindOf, type StageProps } from './view-file.ts';

const FilmStage = part(() => import('./film-stage.tsx'), 'FilmStage');
const SoundStage = part(() => import('./sound-stage.tsx'), 'SoundStage');
const TextStage = part(() => import('./text-stage.tsx'), 'TextStage');
const PdfStage = part(() => import('./pdf-stage.tsx'), 'PdfStage');

const stages = {
  image: ImageStage,
  video: FilmStage,
  audio: SoundStage,
  text: TextStage,
  pdf: PdfStage,
  other: OtherStage,
  gone: OtherStage,
} satisfies Record<StageKind, unknown>;

/** Shows one file, with the comments on it. A new file gets a new stage. */
export function Stage(props: StageProps) {
  const kind = stageKindOf(props.file);
  const Shown = stages[kind];
  return (
    <Suspense fallback={<div className="stage" />}>
      <Shown key={props.file.id} {...props} />
    </Suspense>
  );
}

/** How one points at a place in a file of this kind. */
export const pointingWords: Partial<Record<StageKind, string>> = {
  image: 'Click the picture to point, drag for a region.',
  pdf: 'Click a page to point, drag for a region.',
  video: 'Click the film to point, drag for a region.',
  audio: 'A comment is kept with its time.',
  text: 'Click a line number, with shift several lines.',
};
