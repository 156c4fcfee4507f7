import { Skeleton } from '@mantine/core';
import { IconLock } from '../look/icons.ts';
import { Fragment, type ReactNode, useEffect, useRef } from 'react';
import { Failure } from './failure.tsx';
import { studio } from '../shell/studio.ts';
import { setTitle } from './title.ts';

type Head = {
  title: string;
  /** Replaces a title in the customer's own words, which must not stay in the browser history. */
  documentTitle?: string;
  above?: ReactNode;
  beside?: ReactNode;
  below?: ReactNode;
  /** What can be done on the page, at its end. */
  children?: ReactNode;
};

/** The title is focused and announced when the page opens. */
export function PageHead({ title, documentTitle = title, above, beside, below, children }: Head) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    setTitle(`${documentTitle} · ${studio.name}`);
  }, [documentTitle]);
  useEffect(() => {
    // Waits for the frame that lays out the page anyway.
    const frame = requestAnimationFrame(() => {
      // A field with autofocus keeps it.
      if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <header className="page-head">
      <div className="page-head-text">
        {above && <div className="small second">{above}</div>}
        <div className="row" style={{ gap: 12 }}>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {beside}
        </div>
        {below && <div className="second">{below}</div>}
      </div>
      {children && <div className="row">{children}</div>}
    </header>
  );
}

type PanelProps = { title: ReactNode; beside?: ReactNode; children: ReactNode; flush?: boolean };

export const Panel = ({ title, beside, children, flush = false }: PanelProps) => (
  <section className="panel">
    <div className="panel-head">
      <h2>{title}</h2>
      {beside}
    </div>
    <div className={flush ? undefined : 'panel-body'}>{children}</div>
  </section>
);

/** Leaves out empty lines. */
export const Facts = ({ facts }: { facts: [string, ReactNode][] }) => (
  <dl className="facts">
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
      .map(([term, value]) => (
        <Fragment key={term}>
          <dt className="second">{term}</dt>
          <dd className="breaks">{value}</dd>
        </Fragment>
      ))}
  </dl>
);

type LoadedProps<Data> = {
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown };
  height?: number;
  skeleton?: ReactNode;
  /** Shown above an error if the page's own head needs the data. */
  head?: ReactNode;
  children: (data: Data) => ReactNode;
};

/** Shows the data, a skeleton while it loads, or the error. Never blank. */
export function Loaded<Data>({ query, height = 240, skeleton, head, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error)
    return (
      <>
        {head}
        <Failure error={query.error} retry={() => void query.refetch()} />
      </>
    );
  return skeleton ?? <Skeleton className="late" height={height} aria-label="Loading" />;
}

/** For roles that may not see a page: says who can. */
export const Forbidden = ({ children }: { children: ReactNode }) => (
  <div className="note icon-line" role="note">
    <IconLock size={16} aria-hidden /> {children}
  </div>
);
