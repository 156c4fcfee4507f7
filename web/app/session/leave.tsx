import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { operationQuery, type Output, useOperation } from '../api.ts';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { Failure } from '../../ui/page/page.tsx';
import { Proof } from './proof.tsx';

/** Read on demand, and kept no longer than the page is open. */
export function useDownload() {
  const { refetch, isFetching, error } = useQuery({ ...operationQuery('exportPerson'), enabled: false, gcTime: 0 });
  const download = async () => {
    const { data, isSuccess } = await refetch();
    if (isSuccess) save(data);
  };
  return { download: () => void download(), pending: isFetching, error };
}

function save(data: Output<'exportPerson'>): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'my-data.json';
  link.click();
  URL.revokeObjectURL(url);
}

export const DeleteYourself = ({ onClose }: { onClose: () => void }) => (
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

export function Farewell({ operation, confirm, children, ...dialog }: FarewellProps) {
  const leave = useOperation(operation, () => location.assign(customerPages.home));
  const { fields, change } = useFields({ password: '', code: '' }, leave.error);
  const { password, code } = fields;
  const run = () => leave.mutate({ body: { password, ...(code && { code }) } });
  return (
    <FormDialog {...dialog} submit={confirm} onSubmit={run} action={leave} fields={['password', 'code']} destructive>
      <div className="second">{children}</div>
      <Proof {...fields} onChange={change} error={leave.error} />
    </FormDialog>
  );
}
