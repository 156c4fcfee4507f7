import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { AtelierError } from '../../../client/error.ts';
import { helpUrl, studio } from '../shell/studio.ts';
import { Copy } from './code.tsx';
import { namesField } from '../form/form.ts';
import { errorWords, missingWords } from '../job/words.ts';

/** An error of the API or the page, as text for people. */
export function sayFailure(error: Error): { title: string; step: string } {
  if (!(error instanceof AtelierError))
    return {
      title: 'Something went wrong on this page',
      step: 'Reload it. If it happens again, tell us what you did.',
    };
  if (error.code === 'csrf_token_invalid' && error.details.some(({ location }) => location === 'origin'))
    return { title: 'The page is open at another address', step: error.action };
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
  if (namesField(error, fields)) return null;
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
