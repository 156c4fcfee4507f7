import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { customerPages, deskPages } from '../../../contract/pages.ts';
import { queryClient, useOperation } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Failure } from '../../ui/page/page.tsx';

/** Shown when another window has switched the account, or when a view has ended or began there. */
export function Elsewhere() {
  const { account, view, elsewhere } = useSession();
  if (!elsewhere) return null;
  if (view) return <ViewEnded id={account.id} name={account.name} />;
  const { id, name } = elsewhere.account;
  return elsewhere.view ? <ViewBegan id={id} name={name} /> : <AccountSwitched name={name} />;
}

type LockedProps = { title: string; words: string; error?: Error | null; children: ReactNode };

/** Stays until one of its buttons is pressed. */
const Locked = ({ title, words, error, children }: LockedProps) => (
  <Dialog opened onClose={() => {}} title={title} withCloseButton={false} closeOnEscape={false}>
    <div className="stack">
      <p className="second">{words}</p>
      {error && <Failure error={error} />}
      <Group justify="flex-end">{children}</Group>
    </div>
  </Dialog>
);

function AccountSwitched({ name }: { name: string }) {
  const { account } = useSession();
  const back = useOperation('switchAccount', () => void queryClient.invalidateQueries());
  return (
    <Locked
      title={`You switched to ${name}`}
      words={`This happened in another window. This page still belongs to ${account.name}: nothing you did here went to the other account.`}
      error={back.error}
    >
      <Button variant="default" onClick={() => location.assign('/')}>
        Continue with {name}
      </Button>
      <Button onClick={() => back.mutate({ path: { id: account.id } })} loading={back.isPending} data-autofocus>
        Switch back to {account.name}
      </Button>
    </Locked>
  );
}

const ViewEnded = ({ id, name }: { id: string; name: string }) => (
  <Locked title={`The view of ${name} has ended`} words="Its time was over, or it was stopped in another window.">
    <Button component="a" href={pathTo(deskPages.account, { id })} data-autofocus>
      Back to the desk
    </Button>
  </Locked>
);

function ViewBegan({ id, name }: { id: string; name: string }) {
  const { account } = useSession();
  const stop = useOperation('endAccountView', () => void queryClient.invalidateQueries());
  return (
    <Locked
      title={`You are viewing ${name}`}
      words={`The view began in another window. This page belongs to ${account.name}, which waits until the view has ended.`}
      error={stop.error}
    >
      <Button variant="default" onClick={() => location.assign(customerPages.jobs)}>
        Continue with the view
      </Button>
      <Button onClick={() => stop.mutate({ path: { id } })} loading={stop.isPending} data-autofocus>
        Stop viewing
      </Button>
    </Locked>
  );
}
