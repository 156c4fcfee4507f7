import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { Empty } from '../../ui/list/empty.tsx';
import { PageHead } from '../../ui/page/page.tsx';

/** In place of pages that a view leaves out. */
export const NotInView = () => (
  <>
    <PageHead title="Not shown in a view" />
    <Empty action={<Link to={customerPages.jobs}>Jobs</Link>}>
      Drafts, templates, files without a job, the brand form, keys, webhooks and settings are the customer’s own. A view
      leaves them out, and nothing can be ordered or changed in it.
    </Empty>
  </>
);
