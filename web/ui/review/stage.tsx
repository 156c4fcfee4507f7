import { part } from '../page/part.tsx';
import { ImageStage } from './image-stage.tsx';
import { OtherStage } from './other-stage.tsx';
import { type StageKind, stageKindOf, type StageProps } from './view-file.ts';
import './stages.css';
import './pins.css';

const waiting = <div className="stage" />;
const FilmStage = part(() => import('./film-stage.tsx'), 'FilmStage', waiting);
const SoundStage = part(() => import('./sound-stage.tsx'), 'SoundStage', waiting);
const TextStage = part(() => import('./text-stage.tsx'), 'TextStage', waiting);
const PdfStage = part(() => import('./pdf-stage.tsx'), 'PdfStage', waiting);

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
  return <Shown key={props.file.id} {...props} />;
}

/** How one points at a place in a file of this kind. */
export const pointingWords: Partial<Record<StageKind, string>> = {
  image: 'Click the picture to point, drag for a region.',
  pdf: 'Click a page to point, drag for a region.',
  video: 'Click the film to point, drag for a region.',
  audio: 'A comment is kept with its time.',
  text: 'Click a line number, with shift several lines.',
};
