import { Dialog } from '../dialog/dialog.tsx';
import { Facts } from '../page/page.tsx';
import { Keys, useShortcuts } from './shortcuts.tsx';

export function KeySheet(props: { opened: boolean; onClose: () => void }) {
  const shown = [...Map.groupBy(useShortcuts(), ({ keys }) => keys)];
  return (
    <Dialog {...props} title="Keys">
      <Facts facts={shown.map(([keys, [first]]) => [first?.label ?? '', <Keys key={keys}>{keys}</Keys>])} />
      <p className="small second" style={{ marginTop: 16 }}>
        Single keys can be turned off in the settings.
      </p>
    </Dialog>
  );
}
