import { useMediaQuery } from '@mantine/hooks';

/** The same limit as in the style sheets. */
export const usePhone = () => useMediaQuery('(max-width: 860px)', false, { getInitialValueInEffect: false });

export const useWide = () => useMediaQuery('(min-width: 861px)', false, { getInitialValueInEffect: false });
