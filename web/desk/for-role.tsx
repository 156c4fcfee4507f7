import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { deskPages } from '../../contract/pages.ts';
import { Empty } from '../ui/list/empty.tsx';
import { PageHead } from '../ui/page/page.tsx';
import { roleReason, useMay } from './may.ts';
import { pageRights } from './page-rights.ts';

type Page = FunctionComponent & { preload: () => Promise<void> };

/** The page, or who may read it. */
export function forRole(name: keyof typeof pageRights, title: string, Page: Page) {
  const right = pageRights[name];
  const Guarded = () => (useMay()(right) ? <Page /> : <NotForRole title={title} reason={roleReason(right)} />);
  return Object.assign(Guarded, { preload: Page.preload });
}

const NotForRole = ({ title, reason }: { title: string; reason: string }) => (
  <>
    <PageHead title={title} />
    <Empty
      action={
        <Button component={Link} to={deskPages.queue} variant="default">
          Go to the queue
        </Button>
      }
    >
      {reason}
    </Empty>
  </>
);
