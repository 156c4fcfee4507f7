import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { operationQuery, type Output, queryClient, useOperation } from '../api.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { Proof } from './proof.tsx';

function useDownload() {
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
  return { download: () => void download(), pending, error };
}

export function YourData() {
  const { download, pending, error } = useDownload();
  return (
    <Panel title="Your data">
      <div className="stack">
        <p className="second">
          A JSON file with your name and address, sessions, memberships, keys, the invitations that you sent, the jobs
          that you ordered and what you wrote about them.
        </p>
        {error && <Failure error={error} />}
        <div>
          <Button variant="default" loading={pending} onClick={download}>
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
      {open && <DeleteYourself onClose={() => setOpen(false)} />}
    </Panel>
  );
}

const DeleteYourself = ({ onClose }: { onClose: () => void }) => (
  <Farewell operation="deletePerson" title="Delete yourself?" confirm="Delete me" onClose={onClose}>
    Nobody can restore your data. Jobs in accounts that others own stay there, without your name.
  </Farewell>
);

/** For a person without an account. */
export function LeaveLinks() {
  const { download, pending, error } = useDownload();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="link-button" disabled={pending} onClick={download}>
        Download my data
      </button>
      {' · '}
      <button type="button" className="link-button" onClick={() => setOpen(true)}>
        Delete me
      </button>
      {error && <Failure error={error} />}
      {open && <DeleteYourself onClose={() => setOpen(false)} />}
    </>
  );
}

type FarewellProps = {
  operation: 'deletePerson' | 'closeAccount';
  title: string;
  confirm: string;
  onClose: () => void;
  children: ReactNode;
};

export function Farewell({ operation, title, confirm, onClose, children }: FarewellProps) {
  const leave = useOperation(operation, () => location.assign(customerPages.home));
  const [proof, setProof] = useState({ password: '', code: '' });
  const run = () => leave.mutate({ body: { password: proof.password, ...(proof.code ? { code: proof.code } : {}) } });
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      submit={confirm}
      onSubmit={run}
      action={leave}
      fields={['password', 'code']}
      destructive
    >
      <div className="second">{children}</div>
      <Proof {...proof} onChange={(part) => setProof({ ...proof, ...part })} error={leave.error} />
    </FormDialog>
  );
}
