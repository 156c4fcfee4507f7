import { useMediaQuery } from '@mantine/hooks';

/** Same limit as in the style sheets. */
export const useWide = () => useMediaQuery('(min-width: 861px)', false, { getInitialValueInEffect: false });
