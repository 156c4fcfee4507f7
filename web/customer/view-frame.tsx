import { useLocation } from '@tanstack/react-router';
import { customerPages } from '../../contract/pages.ts';
import { PersonMenu } from '../app/session/person-menu.tsx';
import { useSession } from '../app/session/session.tsx';
import { Shell } from '../ui/shell/shell.tsx';
import { NotInView } from './account/not-in-view.tsx';
import { planWords } from './account/plan-words.ts';
import { Suspended } from './account/suspended.tsx';
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
            <span>{account.name}</span>
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
        {...(isViewable(pathname) ? {} : { instead: <NotInView /> })}
      />
      <FindAnything places={viewablePlaces} />
    </>
  );
}
