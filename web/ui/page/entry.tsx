import { type ReactNode, useEffect } from 'react';
import { Mark } from '../shell/mark.tsx';
import { studio } from '../shell/studio.ts';
import { StudioFooter } from '../shell/studio-footer.tsx';

type Props = { title: string; lead?: ReactNode; children: ReactNode; below?: ReactNode };

export function Entry({ title, lead, children, below }: Props) {
  useEffect(() => {
    document.title = `${title} · ${studio.name}`;
  }, [title]);
  return (
    <main className="entry">
      <a href="/" className="brand">
        <Mark size={25} />
        <span className="brand-name">{studio.name}</span>
      </a>
      <section className="panel entry-panel stack">
        <div>
          <h1>{title}</h1>
          {lead && <p className="second">{lead}</p>}
        </div>
        {children}
      </section>
      {below && <div className="second">{below}</div>}
      <StudioFooter />
    </main>
  );
}
