import { Link, useNavigate } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import type { OrderDraft } from './use-order-draft.ts';

type Props = ComponentProps<'a'> & { draft: OrderDraft; to: string | ((draftId: string | null) => string) };

/** A link to a page with the same draft: what was typed is stored before it opens. */
export function Leave({ draft, to, children, ...props }: Props) {
  const navigate = useNavigate();
  const addressFor = (id: string | null) => (typeof to === 'string' ? to : to(id));
  return (
    <Link
      {...(props as object)}
      to={addressFor(draft.session?.id ?? null)}
      onClick={(event) => {
        if (!draft.isUnsaved || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        // Where it cannot be stored, the page says so and stays.
        draft.after(async (id) => navigate({ to: addressFor(id) })).catch(() => {});
      }}
    >
      {children}
    </Link>
  );
}
