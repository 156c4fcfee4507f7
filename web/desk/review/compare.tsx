import { askedBetween, withoutComments } from '../../app/asked-changes.ts';
import type { Compared } from '../../ui/review/compare.ts';
import { CompareViewer } from '../../ui/review/compare-viewer.tsx';
import type { ModeProps } from './mode.ts';

/** Two deliveries beside each other, with what the customer asked for between them. */
export function Compare(props: ModeProps & { compared: Compared }) {
  const { title, deliveries, delivery, compared, comments, fileId, onFile, onCompare, onClose } = props;
  return (
    <CompareViewer
      title={title}
      deliveries={deliveries}
      earlier={compared}
      later={delivery}
      onChoose={({ round }, id) => onCompare(round, id)}
      fileId={fileId}
      onFile={(id) => onCompare(compared.round, id)}
      changes={askedBetween(comments, compared.round, delivery.round)}
      words={{ title: 'Changes asked for', none: withoutComments }}
      back={{ round: delivery.round, onGo: () => onFile(fileId) }}
      onClose={onClose}
      onOpen={onFile}
      onAskAgain={null}
    />
  );
}
