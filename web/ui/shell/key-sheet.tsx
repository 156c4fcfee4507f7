import { Dialog } from '../dialog/dialog.tsx';
import { Facts } from '../page/page.tsx';
import { Keys, useShortcuts } from './shortcuts.tsx';

type Props = { opened: boolean; onClose: () => void };

export function KeySheet({ opened, onClose }: Props) {
  const shown = [...Map.groupBy(useShortcuts(), ({ keys }) => keys)];
  return (
    <Dialog opened={opened} onClose={onClose} title="Keys">
      <Facts facts={shown.map(([keys, [first]]) => [first?.label ?? '', <Keys key={keys}>{keys}</Keys>])} />
      <p className="small second" style={{ marginTop: 16 }}>
        Single keys can be turned off in the settings.
      </p>
    </Dialog>
  );
}
