import { Box } from '@mantine/core';
import { useRef, useState } from 'react';
import { Grounds, useGround } from './grounds.tsx';
import { Pins } from './pins.tsx';
import { OtherStage } from './other-stage.tsx';
import { Picture, Surface } from './surface.tsx';
import { useShown, useZoom } from './use-zoom.ts';
import { pictureUrl, type StageProps } from './view-file.ts';
import type { Size } from './zoom.ts';
import { ZoomBar } from './zoom-bar.tsx';

export function ImageStage({ file, comments, selected, onSelect, writing, onPlace, onDetail }: StageProps) {
  const stage = useRef<HTMLDivElement>(null);
  const [picture, setPicture] = useState<Size | null>(null);
  const [isBroken, setBroken] = useState(false);
  const [ground, setGround] = useGround();
  const zoom = useZoom(stage, picture);
  const { view } = zoom;
  useShown(zoom.show, comments.find(({ id }) => id === selected)?.place?.box);
  const onSize = (size: Size) => {
    setPicture(size);
    onDetail(`${size.width.toLocaleString()} × ${size.height.toLocaleString()}`);
  };
  const url = pictureUrl(file);
  if (isBroken) return <OtherStage file={file} words="The picture could not be loaded." />;
  return (
    <Box
      ref={stage}
      className={`stage${zoom.space ? ' panning' : ''}${zoom.isFitted ? ' swipes' : ''}`}
      bg={ground.background}
      {...zoom.touch}
      data-testid="stage"
    >
      {url && (
        <Surface view={view} picture={picture}>
          <Picture src={url} alt={file.file_name} onSize={onSize} onError={() => setBroken(true)} />
          <Pins {...{ comments, selected, onSelect, writing }} onPlace={onPlace && ((box) => onPlace({ box }))} />
        </Surface>
      )}
      <ZoomBar scale={view?.scale ?? null} onIn={zoom.zoomIn} onOut={zoom.zoomOut} onFit={zoom.fit}>
        <Grounds ground={ground} onChange={setGround} />
      </ZoomBar>
    </Box>
  );
}
