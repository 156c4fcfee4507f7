import type { ReactNode } from 'react';
import { Code } from '../page/code.tsx';

export const Empty = ({ children, action, command }: { children: ReactNode; action?: ReactNode; command?: string }) => (
  <div className="empty">
    <p>{children}</p>
    {action}
    {command && (
      <>
        <span className="small second">From a terminal:</span>
        <Code>{command}</Code>
      </>
    )}
  </div>
);
