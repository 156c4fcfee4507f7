import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from '../page/page.tsx';
import { submitting } from './form.ts';

type Props = ButtonProps & {
  children?: ReactNode;
  /** The label of the button that submits the form. */
  submit: string;
  onSubmit: () => void;
  /** The mutation: its button shows that it is pending, its error is shown above the button. */
  action?: { isPending: boolean; error: Error | null };
  /** Fields that show their own errors. */
  fields?: string[];
};

/** Fields and one button, on a page. What else it takes is for the button. */
export const PageForm = ({ children, submit, onSubmit, action, fields = [], ...button }: Props) => (
  <form className="stack" onSubmit={submitting(onSubmit)}>
    {children}
    {action?.error && <Failure error={action.error} fields={fields} />}
    <Button type="submit" loading={action?.isPending ?? false} {...button}>
      {submit}
    </Button>
  </form>
);
