import { Box, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { isUsable, servesUntil } from '../../../contract/plans/plan-words.ts';
import { operationQuery } from '../../app/api.ts';
import { catalogRead } from '../../app/reads.ts';
import { initials } from '../../ui/thread/story.ts';
import { wasSignedIn } from '../../app/session/was-signed-in.ts';
import { useRead } from '../../app/use-reads.ts';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { part } from '../../ui/page/part.tsx';
import { Brand } from '../../ui/shell/shell.tsx';
import { studio } from '../../ui/shell/studio.ts';
import { StudioFooter } from '../../ui/shell/studio-footer.tsx';
import { sayDay } from '../../ui/time/time.tsx';
import { ChooseService } from './choose-service.tsx';

const ViewBanner = part(() => import('../account/view-banner.tsx'), 'ViewBanner');

/** Public. Ordering asks visitors to sign in. */
export function Catalog() {
  const catalog = useRead(catalogRead);
  const session = useQuery({ ...operationQuery('readSession'), enabled: wasSignedIn(), retry: false });
  const view = session.data?.view;
  const account = view?.account ?? session.data?.account;
  return (
    <>
      {view && <ViewBanner view={view} />}
      <Box className="row line-below public-head" component="header">
        <Brand to={customerPages.home} />
        {session.data && account ? (
          <Person name={session.data.user.name} account={account.name} />
        ) : (
          <nav className="row push" aria-label="Main">
            <Button component={Link} to={customerPages.signIn} variant="default">
              Sign in
            </Button>
            <Button component={Link} to={customerPages.signUp}>
              Create an account
            </Button>
          </nav>
        )}
      </Box>
      <Box component="main" className="page" m="0 auto">
        <PageHead
          title="What the studio makes"
          above={studio.tagline}
          below="Say what you need; follow the work; approve it, or ask for changes."
        />
        <Loaded query={catalog} height={480}>
          {({ service_families: families }) => <ChooseService families={families} />}
        </Loaded>
      </Box>
      <StudioFooter />
    </>
  );
}

function Person({ name, account }: { name: string; account: string }) {
  const entitlements = useQuery(operationQuery('listEntitlements'));
  const active = entitlements.data?.entitlements.find(isUsable);
  return (
    <>
      <span className="public-plan second small push">
        {account}
        {active && ` · ${active.quota - active.used} of ${active.quota} jobs left until ${sayDay(servesUntil(active))}`}
      </span>
      <nav className="row" aria-label="Main">
        <Button component={Link} to={customerPages.home} variant="default">
          Your jobs
        </Button>
        <Link to={customerPages.settings} className="avatar" aria-label={`${initials(name)}, settings of ${name}`}>
          {initials(name)}
        </Link>
      </nav>
    </>
  );
}
