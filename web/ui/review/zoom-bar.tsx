import { ActionIcon, Box, Button, Flex } from '@mantine/core';
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
  <Flex className="zoom-bar" align="center" gap={2} p={3} bdrs={9} bg="var(--panel)" role="group" aria-label="Zoom">
    <ActionIcon onClick={onOut} aria-label="Zoom out">
      <IconMinus size={16} />
    </ActionIcon>
    <Box component="span" className="numbers wide-only" miw={52} ta="center" fz={12.5} aria-live="off">
      {scale === null ? '' : `${Math.round(scale * 100)} %`}
    </Box>
    <ActionIcon onClick={onIn} aria-label="Zoom in">
      <IconPlus size={16} />
    </ActionIcon>
    <Button variant="subtle" h={30} px={8} onClick={onFit} rightSection={<KeyHint>0</KeyHint>} className="wide-only">
      Fit
    </Button>
    {children}
  </Flex>
);

/** Beside the zoom, behind a line. */
export const ZoomGroup = ({ className = '', children }: { className?: string; children: ReactNode }) => (
  <Flex className={`zoom-group ${className}`} align="center" gap={2} ml={4} pl={6} fz={12.5}>
    {children}
  </Flex>
);
