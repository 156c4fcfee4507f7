import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { operationQuery, type Output, queryClient, useOperation } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { Loaded, Panel } from '../../ui/page/page.tsx';
import { Proof } from '../entry/credentials.tsx';

export function YourData() {
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const download = async () => {
    setPending(true);
    setError(null);
    try {
      save(await queryClient.fetchQuery({ ...operationQuery('exportPerson'), staleTime: 0, gcTime: 0 }));
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    }
    setPending(false);
  };
  return (
    <Panel title="Your data">
      <div className="stack">
        <p className="second">
          A JSON file with your name and address, sessions, memberships, keys, the invitations that you sent and the
          jobs that you ordered.
        </p>
        {error && <Failure error={error} />}
        <div>
          <Button variant="default" loading={pending} onClick={() => void download()}>
            Download my data
          </Button>
        </div>
      </div>
    </Panel>
  );
}

function save(data: Output<'exportPerson'>): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'my-data.json';
  link.click();
  URL.revokeObjectURL(url);
}

export function DeleteMe() {
  const [open, setOpen] = useState(false);
  return (
    <Panel title="Delete yourself">
      <div className="stack">
        <p className="second">
          Your name, address and password are erased, your sessions and keys end, and accounts that only you own are
          closed. An account that has jobs is closed first. This cannot be undone.
        </p>
        <div>
          <Button variant="default" color="bad" onClick={() => setOpen(true)}>
            Delete me
          </Button>
        </div>
      </div>
      {open && (
        <Farewell operation="deletePerson" title="Delete yourself?" confirm="Delete me" onClose={() => setOpen(false)}>
          Nobody can bring you back. Jobs in accounts that others own stay there, without your name.
        </Farewell>
      )}
    </Panel>
  );
}

export function CloseAccount() {
  const { account } = useSession();
  const closing = useQuery({ ...operationQuery('readClosing'), staleTime: 0 });
  const [open, setOpen] = useState(false);
  return (
    <Panel title="Close the account">
      <Loaded query={closing} height={80}>
        {({ closing: { possible, running_plans, jobs_to_review, ends } }) => (
          <div className="stack">
            <p className="second">{whatEnds(ends)} Usage stays, without text. This cannot be undone.</p>
            {running_plans > 0 && (
              <p>
                A plan runs. <Link to={customerPages.plans}>End it first</Link>.
              </p>
            )}
            {jobs_to_review.map((id) => (
              <p key={id}>
                A delivery waits for you.{' '}
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
    </Panel>
  );
}

const count = (n: number, one: string, many: string) => (n === 0 ? [] : [`${n} ${n === 1 ? one : many}`]);

function whatEnds(ends: Output<'readClosing'>['closing']['ends']): string {
  const list = [
    ...count(ends.open_jobs, 'open job', 'open jobs'),
    ...count(ends.other_members, 'other membership', 'other memberships'),
    ...count(ends.api_keys, 'API key', 'API keys'),
    ...count(ends.webhook_endpoints, 'webhook endpoint', 'webhook endpoints'),
    ...count(ends.files, 'file', 'files'),
  ];
  const named = list.length === 0 ? '' : ` That ends ${new Intl.ListFormat('en').format(list)}.`;
  return `Open jobs are canceled, files and all text are deleted, and nobody can use the account any more.${named}`;
}

type FarewellProps = {
  operation: 'deletePerson' | 'closeAccount';
  title: string;
  confirm: string;
  onClose: () => void;
  children: ReactNode;
};

/** Asks for the password, and the code of who has a second factor. */
function Farewell({ operation, title, confirm, onClose, children }: FarewellProps) {
  const leave = useOperation(operation);
  const [proof, setProof] = useState({ password: '', code: '' });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { password: proof.password, ...(proof.code ? { code: proof.code } : {}) };
    leave.mutate({ body }, { onSuccess: () => location.assign(customerPages.home) });
  };
  return (
    <Dialog opened onClose={onClose} title={title}>
      <form className="stack" onSubmit={submit}>
        <div className="second">{children}</div>
        <Proof {...proof} onChange={(part) => setProof({ ...proof, ...part })} error={leave.error} />
        {leave.error && <Failure error={leave.error} fields={['password', 'code']} />}
        <DialogButtons type="submit" color="bad" onBack={onClose} loading={leave.isPending}>
          {confirm}
        </DialogButtons>
      </form>
    </Dialog>
  );
}
