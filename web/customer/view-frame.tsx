import { Link, useLocation } from '@tanstack/react-router';
import { customerPages } from '../../contract/pages.ts';
import { PersonMenu } from '../app/session/person-menu.tsx';
import { useReviewerReason, useSession } from '../app/session/session.tsx';
import { Empty } from '../ui/list/list.tsx';
import { Forbidden, PageHead } from '../ui/page/page.tsx';
import { Shell } from '../ui/shell/shell.tsx';
import { planWords } from './account/plan-words.ts';
import { Suspended } from './account/banners.tsx';
import { ViewBanner } from './account/view-banner.tsx';
import { FindAnything } from './find-anything.tsx';
import { isViewable, viewablePlaces } from './places.ts';
import { useYourTurn } from './turn.ts';

/** The customer's pages as an operator sees them: no stream, and nothing that would change something. */
export function ViewFrame() {
  const { account, plans, view } = useSession();
  const { pathname } = useLocation();
  const yours = useYourTurn();
  const shown = viewablePlaces.map((place) => (place.to === customerPages.jobs ? { ...place, count: yours } : place));
  return (
    <>
      <Shell
        home={customerPages.home}
        above={
          <p className="nav-select">
            <span className="one-line">{account.name}</span>
            <small>{planWords(plans)}</small>
          </p>
        }
        places={shown}
        person={<PersonMenu>{null}</PersonMenu>}
        notices={
          <>
            {view && <ViewBanner view={view} inShell />}
            {account.suspended_since && <Suspended />}
          </>
        }
        instead={isViewable(pathname) ? undefined : <NotInView />}
      />
      <FindAnything places={viewablePlaces} />
    </>
  );
}

/** In place of pages that a view leaves out. */
const NotInView = () => (
  <>
    <PageHead title="Not shown in a view" />
    <Empty action={<Link to={customerPages.jobs}>Jobs</Link>}>
      Drafts, templates, files without a job, the brand form, keys, webhooks and settings are the customer’s own. A view
      leaves them out, and nothing can be ordered or changed in it.
    </Empty>
  </>
);

/** In place of pages that a reviewer may not see. */
export function NotForReviewers() {
  const reason = useReviewerReason();
  return (
    <>
      <PageHead title="Not for reviewers" />
      <Forbidden>{reason}</Forbidden>
    </>
  );
}
