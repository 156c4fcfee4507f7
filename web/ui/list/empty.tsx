import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { Code } from '../page/code.tsx';

export const empty = { padding: '40px 0', gap: 14, alignItems: 'flex-start', maxWidth: 620 };

export const Empty = ({ children, action, command }: { children: ReactNode; action?: ReactNode; command?: string }) => (
  <div className="stack" style={empty}>
    <Box component="p" fz={16}>
      {children}
    </Box>
    {action}
    {command && (
      <>
        <span className="small second">From a terminal:</span>
        <Box w="100%">
          <Code>{command}</Code>
        </Box>
      </>
    )}
  </div>
);
