import { Button, Group } from '@mantine/core';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { queryClient, useOperation } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { Failure } from '../../ui/page/failure.tsx';

/** Shown when another window has switched the account. */
export function AccountSwitched() {
  const { account, elsewhere } = useSession();
  const back = useOperation('switchAccount');
  const switchBack = () =>
    back.mutate({ path: { id: account.id } }, { onSuccess: () => void queryClient.invalidateQueries() });
  if (!elsewhere) return null;
  const title = `You switched to ${elsewhere.account.name}`;
  return (
    <Dialog opened onClose={() => {}} title={title} withCloseButton={false} closeOnEscape={false}>
      <div className="stack">
        <p className="second">
          This happened in another window. This page still belongs to {account.name}: nothing you did here went to the
          other account.
        </p>
        {back.error && <Failure error={back.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => location.assign('/')}>
            Continue with {elsewhere.account.name}
          </Button>
          <Button onClick={switchBack} loading={back.isPending} data-autofocus>
            Switch back to {account.name}
          </Button>
        </Group>
      </div>
    </Dialog>
  );
}
