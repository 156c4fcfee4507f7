import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { manages } from '../../../contract/plans/roles.ts';
import { operationQuery, type Output, useOperation } from '../../app/api.ts';
import { ConfirmOperation } from '../../app/confirm-operation.tsx';
import { DeleteYourself, Farewell, useDownload } from '../../app/session/leave.tsx';
import { ownersOf, useReadOnlyReason, useSession } from '../../app/session/session.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { submitting } from '../../ui/form/form.ts';
import { useFields } from '../../ui/form/use-fields.ts';
import { counted, roleWords } from '../../ui/job/words.ts';
import { Failure, Loaded, notify } from '../../ui/page/page.tsx';
import { Section } from '../../ui/page/section.tsx';
import { pageReads } from '../reads.ts';
import { Row } from './settings-row.tsx';
import { StudioOrders } from './studio-orders.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { hasEnded, whyNotClosed } from '../../../contract/plans/plan-words.ts';
import { sayDay } from '../../ui/time/time.tsx';

export function AccountSection() {
  const { account, role } = useSession();
  const { download, pending, error } = useDownload();
  const name = <bdi>{account.name}</bdi>;
  return (
    <Section id="account" title="Account" below={`You are ${roleWords[role].toLowerCase()} of ${account.name}.`}>
      <Row term="Name" value={name}>
        {manages(role) ? (close) => <Rename onDone={close} /> : undefined}
      </Row>
      {manages(role) && <StudioOrders />}
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

function CloseAccount() {
  const { account } = useSession();
  const closing = useQuery({ ...operationQuery('readClosing'), staleTime: 0 });
  const [open, setOpen] = useState(false);
  return (
    <Loaded query={closing} height={80}>
      {({ closing: { possible, running_plans, jobs_to_review, ends } }) => (
        <div className="stack">
          <p className="second">{whatEnds(ends)} Usage stays, without text. This cannot be undone.</p>
          {running_plans > 0 && <PlansFirst />}
          {jobs_to_review.map((id) => (
            <p key={id}>
              A delivery is waiting for you.{' '}
              <Link to={customerPages.job} params={{ id }}>
                Review it first
              </Link>
              .
            </p>
          ))}
          <div>
            <Button variant="default" color="bad" disabled={!possible} onClick={() => setOpen(true)}>
              Close the account
            </Button>
          </div>
          {open && (
            <Farewell
              operation="closeAccount"
              title={`Close ${account.name}?`}
              confirm="Close the account"
              onClose={() => setOpen(false)}
            >
              {whatEnds(ends)} You stay signed in, and can open another account.
            </Farewell>
          )}
        </div>
      )}
    </Loaded>
  );
}

/** Plans that must end first. If the end is set, says from when the account can be closed. */
function PlansFirst() {
  const plans = useQuery(operationQuery('listEntitlements'));
  return plans.data?.entitlements
    .filter((plan) => !hasEnded(plan))
    .map((plan) => (
      <p key={plan.id}>
        {whyNotClosed(plan, sayDay)}
        {plan.ends_at === null && (
          <>
            {' '}
            <Link to={customerPages.plans}>End it first</Link>.
          </>
        )}
      </p>
    ));
}

function whatEnds(ends: Output<'readClosing'>['closing']['ends']): string {
  const list = [
    ends.open_jobs > 0 && counted(ends.open_jobs, 'open job'),
    ends.other_members > 0 && counted(ends.other_members, 'other membership'),
    ends.api_keys > 0 && counted(ends.api_keys, 'API key'),
    ends.webhook_endpoints > 0 && counted(ends.webhook_endpoints, 'webhook endpoint'),
    ends.files > 0 && counted(ends.files, 'file'),
  ].filter((words) => words !== false);
  const named = list.length === 0 ? '' : ` That ends ${new Intl.ListFormat('en').format(list)}.`;
  return `Open jobs are canceled, files and all text are deleted, and nobody can use the account any more.${named}`;
}
