import { useMediaQuery } from '@mantine/hooks';

/** Same limit as in the style sheets. */
export const usePhone = () => useMediaQuery('(max-width: 860px)', false, { getInitialValueInEffect: false });
