import { ActionIcon, Box, Button, Flex } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { IconGridDots, IconMoon, IconSun } from '../look/icons.ts';
import { sayZoom, type ShownPicture, usePicture } from '../preview/use-picture.ts';
import { sayBytes } from '../upload/bytes.ts';
import { Again, OtherStage } from './other-stage.tsx';
import { Pins } from './pins.tsx';
import { PictureLayers, Surface } from './surface.tsx';
import { useShown, useZoom } from './use-zoom.ts';
import type { StageProps, ViewFile } from './view-file.ts';
import { ZoomBar, ZoomGroup } from './zoom-bar.tsx';

export function ImageStage(props: StageProps) {
  const { file, onDetail } = props;
  const picture = usePicture(file, file.url);
  const { state, poster, words } = picture;
  const tell = useEffectEvent(() => onDetail?.(words));
  useEffect(() => tell(), [words]);
  if (poster !== null || state === 'whole' || state === 'loading')
    return (
      <>
        <PictureNote picture={picture} file={file} />
        <PictureStage {...props} picture={picture} />
      </>
    );
  return (
    <OtherStage file={{ ...file, poster }} words={whyNone[state]}>
      {state === 'heavy' && <ShowAll picture={picture} file={file} />}
      {state === 'lost' && <Again onClick={picture.again} />}
    </OtherStage>
  );
}

const lost = 'The connection broke off while the picture was loading';
const whyNone: Partial<Record<ShownPicture['state'], string>> = {
  heavy: 'All pixels of this picture may be too much for this device.',
  broken: 'This browser cannot show the picture.',
  lost: `${lost}.`,
};

type NoteProps = { picture: ShownPicture; file: ViewFile };

const ShowAll = ({ picture, file }: NoteProps) => (
  <Button variant="default" size="xs" onClick={picture.showAll}>
    {`Show all pixels (${sayBytes(file.size_bytes)})`}
  </Button>
);

/** Says what is shown in place of the picture. A wide head says it as well. */
function PictureNote({ picture, file }: NoteProps) {
  const { state, words } = picture;
  const note = (text: string, more?: ReactNode) => (
    <Flex className="small second line-below" align="center" justify="center" wrap="wrap" gap="4px 12px" px={16} py={6}>
      {text}
      {more}
    </Flex>
  );
  if (state === 'heavy') return note(words, <ShowAll {...{ picture, file }} />);
  if (state === 'lost') return note(`${lost}, so it is reduced.`, <Again onClick={picture.again} />);
  if (state === 'drawing') return <div className="phone-only">{note(words)}</div>;
  const download = (
    <a href={file.url ?? undefined} download={file.file_name}>
      Download
    </a>
  );
  return state === 'broken' && note('This browser cannot show all pixels of the picture, so it is reduced.', download);
}

function PictureStage(props: StageProps & { picture: ShownPicture }) {
  const { file, comments, selected, onSelect, writing, onPlace, picture } = props;
  const stage = useRef<HTMLDivElement>(null);
  const [ground, setGround] = useGround();
  const { trueSize, drawn, state } = picture;
  const zoom = useZoom(stage, trueSize ?? drawn);
  useShown(zoom.show, comments.find(({ id }) => id === selected)?.place?.box);
  return (
    <Box
      ref={stage}
      className={`stage${zoom.space ? ' panning' : ''}${zoom.isFitted ? ' swipes' : ''}`}
      bg={ground.background}
      {...zoom.touch}
      data-testid="stage"
    >
      <Surface view={zoom.view} picture={trueSize ?? drawn}>
        <PictureLayers picture={picture} alt={file.file_name} />
        <Pins {...{ comments, selected, onSelect, writing }} onPlace={onPlace && ((box) => onPlace({ box }))} />
      </Surface>
      {state === 'loading' && (
        <span className="side-label late" role="status" style={{ left: 12 }}>
          {`Loading all of the picture, ${sayBytes(file.size_bytes)}`}
        </span>
      )}
      <ZoomBar {...zoom.bar} words={sayZoom(picture, zoom.bar.scale)} onPixels={state === 'whole' && zoom.toPixels}>
        <ZoomGroup className="wide-only">
          {grounds.map((each) => (
            <ActionIcon
              key={each.name}
              aria-label={each.label}
              aria-pressed={ground === each}
              {...(ground === each && { bg: 'var(--hover)', c: 'var(--ink)' })}
              onClick={() => setGround(each)}
            >
              <each.icon size={16} />
            </ActionIcon>
          ))}
        </ZoomGroup>
      </ZoomBar>
    </Box>
  );
}

const squares = 'repeating-conic-gradient(#d9d5cd 0 25%, #f4f2ee 0 50%) 0 0 / 20px 20px';
/** They are the same in both schemes: a picture is judged on them. */
const grounds = [
  { name: 'light', label: 'Light ground', icon: IconSun, background: '#f4f2ee' },
  { name: 'dark', label: 'Dark ground', icon: IconMoon, background: '#11100e' },
  { name: 'checked', label: 'Checked ground', icon: IconGridDots, background: squares },
] as const;

const key = 'atelier-review-ground';

/** What lies behind a picture: its own scheme until one is chosen, then the same for all pictures. */
function useGround() {
  const [ground, setGround] = useState<(typeof grounds)[number]>(() => {
    const isDark = document.documentElement.dataset.mantineColorScheme === 'dark';
    return grounds.find(({ name }) => name === localStorage.getItem(key)) ?? grounds[isDark ? 1 : 0];
  });
  const choose = (next: (typeof grounds)[number]) => {
    localStorage.setItem(key, next.name);
    setGround(next);
  };
  return [ground, choose] as const;
}
