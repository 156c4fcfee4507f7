import { Box } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Mark } from '../shell/mark.tsx';
import { studio } from '../shell/studio.ts';
import { StudioFooter } from '../shell/studio-footer.tsx';

type Props = {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  below?: ReactNode;
  /** Its content has a heading, and more to read than a form. */
  isDecision?: boolean;
};

const middle = {
  minHeight: 'var(--screen)',
  alignItems: 'center',
  justifyContent: 'center',
  padding: '32px 16px',
  gap: 24,
};

export function Entry({ title, lead, children, below, isDecision = false }: Props) {
  const panel = useRef<HTMLElement>(null);
  const shown = useRef(title);
  useEffect(() => {
    document.title = `${title} · ${studio.name}`;
    if (shown.current === title) return;
    shown.current = title;
    // What was pressed is gone. The focus says what came instead.
    panel.current?.querySelector('h1')?.focus();
  }, [title]);
  return (
    <main className="entry" style={middle}>
      <a href="/" className="brand" style={{ fontSize: 19, maxWidth: 376 }}>
        <Mark size={25} />
        <span className="brand-name">{studio.name}</span>
      </a>
      <Box
        component="section"
        ref={panel}
        className="panel entry-panel stack"
        w="100%"
        maw={isDecision ? 472 : 376}
        p={28}
      >
        {!isDecision && (
          <div>
            <h1 tabIndex={-1}>{title}</h1>
            {lead && <p className="second">{lead}</p>}
          </div>
        )}
        {children}
      </Box>
      {below && (
        <Box className="second" ta="center">
          {below}
        </Box>
      )}
      <StudioFooter padding={0} />
    </main>
  );
}
