import { ActionIcon, Box } from '@mantine/core';
import { useRef, useState } from 'react';
import { IconGridDots, IconMoon, IconSun } from '../look/icons.ts';
import { Pins } from './pins.tsx';
import { OtherStage } from './other-stage.tsx';
import { Picture, Surface } from './surface.tsx';
import { useShown, useZoom } from './use-zoom.ts';
import { pictureUrl, type StageProps } from './view-file.ts';
import type { Size } from './zoom.ts';
import { ZoomBar, ZoomGroup } from './zoom-bar.tsx';

export function ImageStage({ file, comments, selected, onSelect, writing, onPlace, onDetail }: StageProps) {
  const stage = useRef<HTMLDivElement>(null);
  const [picture, setPicture] = useState<Size | null>(null);
  const [isBroken, setBroken] = useState(false);
  const [ground, setGround] = useGround();
  const zoom = useZoom(stage, picture);
  useShown(zoom.show, comments.find(({ id }) => id === selected)?.place?.box);
  const onSize = (size: Size) => {
    setPicture(size);
    onDetail?.(`${size.width.toLocaleString()} × ${size.height.toLocaleString()}`);
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
        <Surface view={zoom.view} picture={picture}>
          <Picture src={url} alt={file.file_name} onSize={onSize} onError={() => setBroken(true)} />
          <Pins {...{ comments, selected, onSelect, writing }} onPlace={onPlace && ((box) => onPlace({ box }))} />
        </Surface>
      )}
      <ZoomBar {...zoom.bar}>
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
