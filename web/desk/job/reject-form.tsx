import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Input } from '../../app/reads.ts';
import { useDraft } from '../../app/session/draft.ts';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { InsertField } from '../../ui/form/insert-field.tsx';
import type { Inserts } from '../../ui/form/insert-list.tsx';
import { Rejection } from '../../ui/job/rejection.tsx';
import { rejectionWords } from '../../ui/job/words.ts';

type Reason = Input<'rejectJob'>['body'];
type Props = {
  /** The name of the draft of the reason. */
  draft: string;
  opened: boolean;
  onClose: () => void;
  title: string;
  submit: string;
  inserts: Inserts;
  action?: { isPending: boolean; error: Error | null };
  onReject: (reason: Reason, forget: () => void) => void;
  /** What follows, below the preview. */
  children: ReactNode;
};

/** Previews the rejection as the customer will read it. */
export function RejectForm({ draft, inserts, action, onReject, children, ...dialog }: Props) {
  const [reason, setReason, forget] = useDraft<Reason>(draft, { code: 'out_of_scope', message: '' });
  const message = reason.message.trim();
  return (
    <FormDialog
      {...dialog}
      size={560}
      destructive
      onSubmit={() => onReject({ ...reason, message }, forget)}
      {...(action && { action })}
      fields={['message']}
      disabled={message === ''}
    >
      <Select
        label="Reason"
        data={Object.entries(rejectionWords).map(([value, label]) => ({ value, label }))}
        value={reason.code}
        onChange={(code) => setReason({ ...reason, code: code as Reason['code'] })}
      />
      <InsertField
        label="Message to the customer"
        minRows={3}
        required
        maxLength={2_000}
        value={reason.message}
        onWrite={(text) => setReason({ ...reason, message: text })}
        inserts={inserts}
        error={fieldError(action?.error ?? null, 'message')}
        data-autofocus
      />
      <section aria-label="What the customer will read" className="stack-small">
        <span className="small second">What the customer will read</span>
        <Rejection code={reason.code} message={message || <span className="third">Your message</span>} />
        <div className="small second">{children}</div>
      </section>
    </FormDialog>
  );
}
