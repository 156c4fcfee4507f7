import { IconLock } from '../../ui/look/icons.ts';
import { Panel } from '../../ui/page/page.tsx';

/** The studio's standing note, which is changed on the page of the account. */
export const AccountNotePanel = ({ note }: { note: string }) => (
  <Panel
    title="About the customer"
    beside={
      <span className="second icon-line push">
        <IconLock size={14} aria-hidden /> never shown
      </span>
    }
  >
    <p className="prose">{note}</p>
  </Panel>
);
