import { IconChevronDown, IconChevronUp } from '../../ui/look/icons.ts';
import { type ReactNode, useState } from 'react';
import { usePhone } from '../../ui/page/use-phone.ts';

type Props = {
  title: string;
  summary: ReactNode;
  /** `phone`: only there. Otherwise its panels stand open. */
  when: 'phone' | 'always';
  children: ReactNode;
};

/** Panels behind a row that opens them. */
export function Fold({ title, summary, when, children }: Props) {
  const phone = usePhone();
  const [open, setOpen] = useState(false);
  if (when === 'phone' && !phone) return children;
  const Mark = open ? IconChevronUp : IconChevronDown;
  return (
    <section className="panel fold" aria-label={title}>
      <h2>
        <button type="button" className="fold-row" aria-expanded={open} onClick={() => setOpen(!open)}>
          {title} <span className="fold-summary">{summary}</span>
          <Mark size={16} aria-hidden />
        </button>
      </h2>
      {open && <div className="fold-body">{children}</div>}
    </section>
  );
}
