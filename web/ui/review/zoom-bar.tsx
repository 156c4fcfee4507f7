import { ActionIcon, Box, Button, Flex } from '@mantine/core';
import { IconMinus, IconPlus } from '../look/icons.ts';
import type { ReactNode } from 'react';
import { KeyHint, useShortcut } from '../shell/shortcuts.tsx';

type Props = {
  /** Screen pixels for one of the picture. */
  scale: number | null;
  onZoom: (by: number) => void;
  onFit: () => void;
  /** Instead of the percentage, where it would not be that of true pixels. */
  words?: string | null;
  onPixels?: (() => void) | false;
  children?: ReactNode;
};

/** Buttons and keys. */
export function ZoomBar({ scale, onZoom, onFit, words = null, onPixels, children }: Props) {
  const [zoomIn, zoomOut] = [() => onZoom(1.25), () => onZoom(1 / 1.25)];
  useShortcut('+', 'Zoom in', zoomIn);
  useShortcut('-', 'Zoom out', zoomOut);
  useShortcut('0', 'Fit', onFit);
  return (
    <Flex className="zoom-bar" align="center" gap={2} p={3} bdrs={9} bg="var(--panel)" role="group" aria-label="Zoom">
      <ActionIcon onClick={zoomOut} aria-label="Zoom out">
        <IconMinus size={16} />
      </ActionIcon>
      <Box component="span" className="numbers wide-only" miw={52} ta="center" fz={12.5} aria-live="off">
        {words ?? (scale === null ? '' : `${Math.round(scale * 100)} %`)}
      </Box>
      <ActionIcon onClick={zoomIn} aria-label="Zoom in">
        <IconPlus size={16} />
      </ActionIcon>
      <Button variant="subtle" h={30} px={8} onClick={onFit} rightSection={<KeyHint>0</KeyHint>} className="wide-only">
        Fit
      </Button>
      {onPixels && (
        <Button variant="subtle" h={30} px={8} onClick={onPixels} className="wide-only">
          100 %
        </Button>
      )}
      {children}
    </Flex>
  );
}

/** Beside the zoom, behind a line. */
export const ZoomGroup = ({ className = '', children }: { className?: string; children: ReactNode }) => (
  <Flex className={`zoom-group ${className}`} align="center" gap={2} ml={4} pl={6} fz={12.5}>
    {children}
  </Flex>
);
