import { ActionIcon, Button } from '@mantine/core';
import { IconMinus, IconPlus } from '../look/icons.ts';
import type { ReactNode } from 'react';
import { KeyHint } from '../shell/shortcuts.tsx';

type Props = {
  /** Screen pixels for one of the picture. */
  scale: number | null;
  onIn: () => void;
  onOut: () => void;
  onFit: () => void;
  children?: ReactNode;
};

export const ZoomBar = ({ scale, onIn, onOut, onFit, children }: Props) => (
  <div className="zoom-bar" role="group" aria-label="Zoom">
    <ActionIcon onClick={onOut} aria-label="Zoom out">
      <IconMinus size={16} />
    </ActionIcon>
    <span className="numbers wide-only zoom-scale" aria-live="off">
      {scale === null ? '' : `${Math.round(scale * 100)} %`}
    </span>
    <ActionIcon onClick={onIn} aria-label="Zoom in">
      <IconPlus size={16} />
    </ActionIcon>
    <Button variant="subtle" h={30} px={8} onClick={onFit} rightSection={<KeyHint>0</KeyHint>} className="wide-only">
      Fit
    </Button>
    {children}
  </div>
);
