import type { ReactNode } from 'react';

type Props = { title: string; below?: ReactNode; children: ReactNode };

/** A part of a page without a box: its name stands at the left. */
export const Section = ({ title, below, children }: Props) => (
  <section className="section">
    <div>
      <h2>{title}</h2>
      {below && <div className="small second">{below}</div>}
    </div>
    <div>{children}</div>
  </section>
);
