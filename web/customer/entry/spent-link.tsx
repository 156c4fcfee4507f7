import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Entry } from '../../ui/page/entry.tsx';

/** Replaces a page whose mailed link is no longer valid. */
export const SpentLink = ({ askAt, below }: { askAt: string; below?: ReactNode }) => (
  <Entry title="This link was used or has expired" below={below}>
    <Button component="a" href={askAt}>
      Ask for a new link
    </Button>
  </Entry>
);
