import { Button, Group } from '@mantine/core';
import { customerPages, deskPages } from '../../../contract/pages.ts';
import { queryClient, useOperation } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Failure } from '../../ui/page/failure.tsx';

/** Shown when a view has ended, or began in another window. */
export function ViewChanged() {
  const { account, view, elsewhere } = useSession();
  if (!elsewhere) return null;
  return view ? <Ended id={account.id} name={account.name} /> : <Began id={elsewhere.account.id} />;
}

const locked = { opened: true, onClose: () => {}, withCloseButton: false, closeOnEscape: false } as const;

const Ended = ({ id, name }: { id: string; name: string }) => (
  <Dialog {...locked} title={`The view of ${name} has ended`}>
    <div className="stack">
      <p className="second">Its time was over, or it was stopped in another window.</p>
      <Group justify="flex-end">
        <Button component="a" href={pathTo(deskPages.account, { id })} data-autofocus>
          Back to the desk
        </Button>
      </Group>
    </div>
  </Dialog>
);

function Began({ id }: { id: string }) {
  const { account, elsewhere } = useSession();
  const stop = useOperation('endAccountView', () => void queryClient.invalidateQueries());
  return (
    <Dialog {...locked} title={`You are viewing ${elsewhere?.account.name}`}>
      <div className="stack">
        <p className="second">
          The view began in another window. This page belongs to {account.name}, which waits until the view has ended.
        </p>
        {stop.error && <Failure error={stop.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => location.assign(customerPages.jobs)}>
            Continue with the view
          </Button>
          <Button onClick={() => stop.mutate({ path: { id } })} loading={stop.isPending} data-autofocus>
            Stop viewing
          </Button>
        </Group>
      </div>
    </Dialog>
  );
}
