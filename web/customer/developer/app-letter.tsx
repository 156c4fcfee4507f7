import { Box } from '@mantine/core';

type Props = { name: string; large?: boolean; faded?: boolean };

/** Stands for the picture of an app, which its maker could choose to look like another. */
export const AppLetter = ({ name, large = false, faded = false }: Props) => (
  <Box
    component="span"
    display="inline-grid"
    w={large ? 44 : 28}
    h={large ? 44 : 28}
    bd="1px solid var(--line)"
    bdrs={large ? 10 : 7}
    bg="var(--panel)"
    c={large ? 'var(--ink)' : 'var(--second)'}
    fz={large ? 18 : 13}
    fw={600}
    opacity={faded ? 0.6 : 1}
    style={{ flex: 'none', placeItems: 'center' }}
    aria-hidden
  >
    {[...name][0]?.toUpperCase()}
  </Box>
);
