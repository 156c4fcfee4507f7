import { Box, Button } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { empty } from '../list/empty.tsx';
import { Failure, Help } from './failure.tsx';

export const NotFound = () => (
  <main className="page">
    <div className="stack" style={empty}>
      <Box component="h1" fz={16} fw={400}>
        There is no such page.
      </Box>
      <Button component="a" href="/">
        Go to the start
      </Button>
      <Help />
    </div>
  </main>
);

export const PageFault = ({ error, reset }: ErrorComponentProps) => (
  <Failure error={error instanceof Error ? error : new Error(String(error))} retry={reset} />
);

/** A fault of the frame, or of a page without one. */
export const AppFault = (props: ErrorComponentProps) => (
  <main className="page">
    <PageFault {...props} />
  </main>
);
