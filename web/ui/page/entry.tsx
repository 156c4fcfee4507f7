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
    <main className="entry">
      <a href="/" className="brand">
        <Mark size={25} />
        <span className="brand-name">{studio.name}</span>
      </a>
      <section ref={panel} className={`panel entry-panel stack${isDecision ? ' decision' : ''}`}>
        {!isDecision && (
          <div>
            <h1 tabIndex={-1}>{title}</h1>
            {lead && <p className="second">{lead}</p>}
          </div>
        )}
        {children}
      </section>
      {below && <div className="second">{below}</div>}
      <StudioFooter />
    </main>
  );
}
