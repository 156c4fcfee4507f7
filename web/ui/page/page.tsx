import { Skeleton } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Failure } from './failure.tsx';

type Head = {
  title: string;
  /** Where the title is a customer's own words, which must not stand in the history of a shared browser. */
  documentTitle?: string;
  above?: ReactNode;
  beside?: ReactNode;
  below?: ReactNode;
  actions?: ReactNode;
};

/** The head of a page. Its title is announced and focused when the page is entered, as a new document would be. */
export function PageHead({ title, documentTitle = title, above, beside, below, actions }: Head) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${documentTitle} · Atelier`;
  }, [documentTitle]);
  useEffect(() => {
    // With the frame that lays the page out anyway.
    const frame = requestAnimationFrame(() => {
      // A field that took the focus by itself keeps it.
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
      {actions && <div className="row">{actions}</div>}
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

/** Terms and what they are, a line each; a line without anything is left out. */
export const Facts = ({ facts }: { facts: [string, ReactNode][] }) => (
  <dl className="facts">
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
      .map(([term, value]) => (
        <FactLine key={term} term={term} value={value} />
      ))}
  </dl>
);

const FactLine = ({ term, value }: { term: string; value: ReactNode }) => (
  <>
    <dt>{term}</dt>
    <dd>{value}</dd>
  </>
);

type Loaded<Data> = { data: Data | undefined; error: Error | null; refetch: () => unknown };

/** A reading: its content, a skeleton of about its size while it loads, or what went wrong. Never blank. */
export function Loaded<Data>({
  query,
  height = 240,
  skeleton = <Skeleton className="late" height={height} aria-label="Loading" />,
  head,
  children,
}: {
  query: Loaded<Data>;
  height?: number;
  /** Of the shape of a page that is more than one block. */
  skeleton?: ReactNode;
  /** Above a failure, where the page's own head comes with the data. */
  head?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error)
    return (
      <>
        {head}
        <Failure error={query.error} retry={() => void query.refetch()} />
      </>
    );
  return skeleton;
}

/** What a role may not see: who can, instead of a broken page. */
export const Forbidden = ({ children }: { children: ReactNode }) => (
  <div className="note icon-line" role="note">
    <IconLock size={16} aria-hidden /> {children}
  </div>
);
