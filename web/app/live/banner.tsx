import { useNetwork } from '@mantine/hooks';
import { useStreamState } from './live.ts';
import { useNewBuild } from '../installation.ts';

/** Warns that the page may be out of date: without a connection, or after a deployment. */
export function Banner() {
  const stream = useStreamState();
  const newBuild = useNewBuild();
  const { online } = useNetwork();
  if (!online) return <div className="banner">No connection. This page may be out of date.</div>;
  if (stream === 'lost')
    return <div className="banner">The connection is lost. This page may be out of date; trying again…</div>;
  if (!newBuild) return null;
  return (
    <div className="banner">
      There is a newer version of this page. Drafts are kept.{' '}
      <button type="button" className="link-button" onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  );
}
