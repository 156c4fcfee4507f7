import type { ReactNode } from 'react';

type Props = { id?: string; title: string; below?: ReactNode; children: ReactNode };

/** A part of a page without a box: its name stands at the left. `id`: for links to it. */
export const Section = ({ id, title, below, children }: Props) => (
  <section id={id} className="section" aria-labelledby={id && `${id}-title`}>
    <div>
      <h2 id={id && `${id}-title`}>{title}</h2>
      {below && <div className="small second">{below}</div>}
    </div>
    <div>{children}</div>
  </section>
);
