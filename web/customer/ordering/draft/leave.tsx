import { Link, useNavigate } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import type { OrderDraft } from './use-order-draft.ts';

type Props = ComponentProps<'a'> & { draft: OrderDraft; to: string };

/** A link to a page with the same draft: what was typed is stored before it opens. */
export function Leave({ draft, to, children, ...props }: Props) {
  const navigate = useNavigate();
  return (
    <Link
      {...(props as object)}
      to={to}
      onClick={(event) => {
        if (!draft.isUnsaved || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        // Where it cannot be stored, the page says so and stays.
        draft.after(async () => navigate({ to })).catch(() => {});
      }}
    >
      {children}
    </Link>
  );
}
