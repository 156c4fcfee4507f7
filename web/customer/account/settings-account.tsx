import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { manages } from '../../../contract/plans/roles.ts';
import { useOperation } from '../../app/api.ts';
import { ConfirmOperation } from '../../app/confirm-operation.tsx';
import { DeleteYourself, useDownload } from '../../app/session/leave.tsx';
import { ownersOf, useReadOnlyReason, useSession } from '../../app/session/session.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { submitting } from '../../ui/form/form.ts';
import { useFields } from '../../ui/form/use-fields.ts';
import { roleWords } from '../../ui/job/words.ts';
import { Failure, notify } from '../../ui/page/page.tsx';
import { Section } from '../../ui/page/section.tsx';
import { pageReads } from '../reads.ts';
import { CloseAccount } from './leaving.tsx';
import { Row } from './settings-row.tsx';

export function AccountSection() {
  const { account, role } = useSession();
  const { download, pending, error } = useDownload();
  const name = <bdi>{account.name}</bdi>;
  return (
    <Section id="account" title="Account" below={`You are ${roleWords[role].toLowerCase()} of ${account.name}.`}>
      <Row term="Name" value={name}>
        {manages(role) ? (close) => <Rename onDone={close} /> : undefined}
      </Row>
      <Row
        term="Your data"
        value={pending ? 'Is being gathered' : 'One JSON file'}
        more="name and address, sessions, keys, jobs that you ordered, what you wrote"
        verb="Download my data"
        onPress={download}
      />
      {error && <Failure error={error} />}
      <Row
        term="Leaving"
        value={
          role === 'owner'
            ? `Leave ${account.name}, close it, or delete yourself`
            : `Leave ${account.name}, or delete yourself`
        }
        more="each says first what it ends"
        verb="Choose"
        back="Close"
      >
        {() => <Leaving />}
      </Row>
    </Section>
  );
}

function Rename({ onDone }: { onDone: () => void }) {
  const { account } = useSession();
  const readOnly = useReadOnlyReason();
  const rename = useOperation('renameAccount');
  const { fields, field } = useFields({ name: account.name }, rename.error);
  const run = () => rename.mutate({ body: fields }, { onSuccess: () => (notify('The account is renamed.'), onDone()) });
  const isSame = fields.name.trim() === '' || fields.name === account.name;
  const reason = readOnly ?? (isSame ? 'Give it another name first.' : null);
  return (
    <form className="stack" onSubmit={submitting(() => reason === null && run())}>
      <TextInput label="Name of the account" maxLength={100} {...field('name')} />
      {rename.error && <Failure error={rename.error} fields={['name']} />}
      <ActionButton variant="default" mr="auto" reason={reason} loading={rename.isPending} onClick={run}>
        Rename
      </ActionButton>
    </form>
  );
}

function Leaving() {
  const { account, role } = useSession();
  const members = useRead(useReads(pageReads.settings).members);
  const lastOwner = role === 'owner' && ownersOf(members.data?.members ?? []).length === 1;
  const [question, setQuestion] = useState<'leave' | 'delete' | null>(null);
  return (
    <div className="stack">
      <p className="second">You lose access to {account.name} at once; keys that you made are revoked.</p>
      <ActionButton
        variant="default"
        color="bad"
        mr="auto"
        reason={lastOwner ? 'The account needs an owner: make somebody else an owner first.' : null}
        onClick={() => setQuestion('leave')}
      >
        Leave the account
      </ActionButton>
      {role === 'owner' && <CloseAccount />}
      <p className="second">
        Deleting yourself erases your name, address and password, ends your sessions and keys, and closes accounts that
        only you own. An account that has jobs is closed first. This cannot be undone.
      </p>
      <ActionButton variant="default" color="bad" mr="auto" onClick={() => setQuestion('delete')}>
        Delete me
      </ActionButton>
      <ConfirmOperation
        opened={question === 'leave'}
        onClose={() => setQuestion(null)}
        title={`Leave ${account.name}?`}
        confirm="Leave"
        destructive
        operation="leaveAccount"
        input={{ path: { id: account.id } }}
        onDone={() => location.assign('/')}
      >
        You lose access at once; keys that you made are revoked.
      </ConfirmOperation>
      {question === 'delete' && <DeleteYourself onClose={() => setQuestion(null)} />}
    </div>
  );
}
