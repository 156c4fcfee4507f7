import { IconEye } from '../../ui/look/icons.ts';
import { customerPages } from '../../../contract/pages.ts';
import { type DeskAccount, useOperation } from '../../app/api.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { sayFailure } from '../../ui/page/failure.tsx';
import { notify } from '../../ui/page/notify.ts';

/** Opens the pages of the customer in place of the desk. Other tabs of the desk go on. */
export function ViewAsCustomer({ account }: { account: DeskAccount }) {
  const view = useOperation('viewAccount', () => location.assign(customerPages.jobs));
  const begin = () =>
    view.mutate({ path: { id: account.id } }, { onError: (error) => notify(sayFailure(error).title) });
  return (
    <ActionButton variant="default" icon={<IconEye size={16} />} loading={view.isPending} onClick={begin}>
      View as this customer
    </ActionButton>
  );
}
