import { TextInput } from '@mantine/core';
import { queryClient, useOperation } from '../api.ts';
import { PageForm } from '../../ui/form/page-form.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { AccountName } from './open-account.tsx';

/** For a person whose address somebody else had signed up with. */
export function ChooseName({ ownsAccount }: { ownsAccount: boolean }) {
  const rename = useOperation('renameAccount');
  const change = useOperation('changeProfile', () => void queryClient.invalidateQueries({ queryKey: ['readSession'] }));
  const own = useFields({ name: '' }, change.error);
  const account = useFields({ name: '' }, rename.error);
  const chooseName = () => change.mutate({ body: { name: own.fields.name.trim() } });
  const submit = () => {
    if (!ownsAccount) return chooseName();
    // The person's name comes last, because it closes this dialog.
    rename.mutate({ body: { name: account.fields.name.trim() } }, { onSuccess: chooseName });
  };
  const action = { isPending: rename.isPending || change.isPending, error: change.error ?? rename.error };
  return (
    <Entry
      title="What is your name?"
      lead="Somebody else signed up with your address before you verified it. The names that they chose were removed."
    >
      <PageForm submit="Go on" onSubmit={submit} action={action} fields={['name']}>
        <TextInput
          label="Your name"
          autoComplete="name"
          required
          maxLength={100}
          data-autofocus
          {...own.field('name')}
        />
        {ownsAccount && <AccountName {...account.field('name')} />}
      </PageForm>
    </Entry>
  );
}
