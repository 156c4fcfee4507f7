import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Input } from '../../app/api.ts';
import { InsertField } from '../../ui/form/insert-field.tsx';
import type { Inserts } from '../../ui/form/insert-list.tsx';
import { Rejection } from '../../ui/job/rejection.tsx';
import { rejectionWords } from '../../ui/job/words.ts';

export type Reason = Input<'rejectJob'>['body'];

type Props = {
  reason: Reason;
  onChange: (reason: Reason) => void;
  inserts: Inserts;
  /** What the service says about the message. */
  error?: string | null;
  /** What follows, below the preview. */
  children: ReactNode;
};

/** Previews the rejection as the customer will read it. */
export const ReasonFields = ({ reason, onChange, inserts, error, children }: Props) => (
  <>
    <Select
      label="Reason"
      data={Object.entries(rejectionWords).map(([value, label]) => ({ value, label }))}
      value={reason.code}
      onChange={(code) => onChange({ ...reason, code: code as Reason['code'] })}
    />
    <InsertField
      label="Message to the customer"
      minRows={3}
      required
      maxLength={2_000}
      value={reason.message}
      onWrite={(message) => onChange({ ...reason, message })}
      inserts={inserts}
      error={error}
      data-autofocus
    />
    <section aria-label="What the customer will read" className="stack-small">
      <span className="small second">What the customer will read</span>
      <Rejection code={reason.code} message={reason.message.trim() || <span className="third">Your message</span>} />
      <div className="small second">{children}</div>
    </section>
  </>
);
