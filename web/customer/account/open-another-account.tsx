import { Dialog } from '../../ui/dialog/dialog.tsx';
import { OpenAccount } from '../../app/session/open-account.tsx';

export const OpenAnotherAccount = ({ onClose }: { onClose: () => void }) => (
  <Dialog opened onClose={onClose} title="Open another account">
    <div className="stack">
      <p className="second small">Its plans, jobs, keys and members are its own. You can switch at any time.</p>
      <OpenAccount />
    </div>
  </Dialog>
);
