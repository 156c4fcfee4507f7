import { useInstallation } from '../../app/installation.ts';

export function Suspended() {
  const support = useInstallation()?.studio.support;
  const address = support?.email ? `mailto:${support.email}` : support?.url;
  return (
    <div className="banner">
      The studio has suspended this account. You can read, export and approve; work in progress goes on.{' '}
      {address ? <a href={address}>Write to the studio</a> : 'Write to the studio'} to have it reopened.
    </div>
  );
}
