import { Button, Skeleton } from '@mantine/core';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { AtelierError } from '../../../client/error.ts';
import { customerPages } from '../../../contract/pages.ts';
import { namesField } from '../form/form.ts';
import { errorWords, missingWords } from '../job/words.ts';
import { IconLock } from '../look/icons.ts';
import { helpUrl, studio } from '../shell/studio.ts';
import { Copy } from './code.tsx';
import { useBack } from './line.ts';
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
  return skeleton ?? <Skeleton className="late" height={height} role="progressbar" aria-label="Loading" />;
}

/** For roles that may not see a page: says who can. */
export const Forbidden = ({ children }: { children: ReactNode }) => (
  <div className="note icon-line" role="note">
    <IconLock size={16} aria-hidden /> {children}
  </div>
);

/** An error of the API or the page, as text for people. */
export function sayFailure(error: Error): { title: string; step: string } {
  if (!(error instanceof AtelierError))
    return {
      title: 'Something went wrong on this page',
      step: 'Reload it. If it happens again, tell us what you did.',
    };
  if (error.code === 'csrf_token_invalid' && error.details.some(({ location }) => location === 'origin'))
    return { title: 'The page is open at another address', step: error.action };
  // The bytes arrived, and are those of another kind of file.
  if (error.code === 'upload_incomplete' && error.details.length > 0)
    return { title: error.message.replace(/\.$/, ''), step: 'Choose another file, or send it in a .zip.' };
  const words = Object.hasOwn(errorWords, error.code) ? errorWords[error.code] : missingWords(error.code);
  if (words) return words;
  const detail = error.details[0];
  if (!detail) return { title: error.message, step: '' };
  return { title: 'Something here is wrong', step: `${fieldName(detail.location)} ${detail.message}.` };
}

export function failureSentence(error: Error): string {
  const { title, step } = sayFailure(error);
  return [title, step].filter(Boolean).join('. ');
}

/** `/current_password` becomes "Current password". */
function fieldName(location: string): string {
  const name = (location.split('/').findLast(Boolean) ?? 'the request').replaceAll('_', ' ');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

type Props = {
  error: Error;
  retry?: () => void;
  /** Fields that show their own errors. */
  fields?: string[];
};

const box = { borderLeft: '3px solid var(--bad)', padding: '14px 16px', gap: 6, alignItems: 'start', maxWidth: '68ch' };

export function Failure({ error, retry, fields = [] }: Props) {
  const { title, step } = sayFailure(error);
  const refusal = error instanceof AtelierError ? error : null;
  const wait = useCountdown(error);
  const needsHelp = !refusal || refusal.status === 403 || refusal.status >= 500;
  const isOver = useLineIsBack(refusal?.code === 'unreachable' && !retry ? error : null);
  if (namesField(error, fields) || isOver) return null;
  return (
    <div className="failure" style={box} role="alert">
      <strong>{title}</strong>
      {step && <span className="second">{step}</span>}
      {wait > 0 && !retry && <span className="second numbers">Try again in {wait} s.</span>}
      {refusal?.code === 'email_unverified' && <a href={customerPages.verifyEmail}>Ask for another mail</a>}
      {needsHelp && <Help />}
      {refusal?.requestId && (
        <span className="row small third">
          Request <span className="mono">{refusal.requestId}</span>{' '}
          <Copy text={refusal.requestId} label="Copy the request id" />
        </span>
      )}
      {retry && refusal?.status !== 404 && (
        <Button variant="default" onClick={retry} disabled={wait > 0}>
          {wait > 0 ? `Try again in ${wait} s` : 'Try again'}
        </Button>
      )}
    </div>
  );
}

/** Whether the connection has come back since it failed with this error. A query tries again by itself. */
function useLineIsBack(lost: Error | null): boolean {
  const [over, setOver] = useState<Error | null>(null);
  useBack(lost !== null, () => setOver(lost));
  return lost !== null && over === lost;
}

/** Where the studio can be asked, if it says so. */
export const Help = () =>
  helpUrl && (
    <span className="small second">
      If it stays so, ask for <a href={helpUrl}>help</a>
      {studio.support.email && ` (${studio.support.email})`}.
    </span>
  );

/** Seconds until the rate limit allows another request. */
export function useCountdown(error: Error | null): number {
  const seconds = error instanceof AtelierError ? (error.retryAfterSeconds ?? 0) : 0;
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    setLeft(seconds);
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1_000);
    return () => clearInterval(timer);
  }, [error, seconds]);
  return left;
}

/** Shows a message in the corner, one at a time. */
export function notify(message: string): void {
  void show(message);
}

/** The first paint does not need the library. */
async function show(message: string): Promise<void> {
  const { notifications } = await import('@mantine/notifications');
  notifications.clean();
  notifications.show({ message, closeButtonProps: { 'aria-label': 'Close' } });
}
