import { Button } from '@mantine/core';
import { askedBetween } from '../../app/asked-changes.ts';
import type { Compared } from '../../ui/review/compare.ts';
import { CompareViewer } from '../../ui/review/compare-viewer.tsx';
import type { ModeProps } from './mode.ts';

/** Two deliveries beside each other, with what the customer asked for between them. */
export function Compare(props: ModeProps & { compared: Compared }) {
  const { title, deliveries, delivery, compared, comments, fileId, onFile, onCompare, onClose } = props;
  const back = (
    <Button variant="subtle" onClick={() => onFile(fileId)}>
      {`Review delivery ${delivery.round + 1}`}
    </Button>
  );
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
      words={{
        title: 'Changes asked for',
        none: 'The changes were asked for in words alone, without comments.',
      }}
      actions={back}
      phoneActions={back}
      onClose={onClose}
      onOpen={onFile}
      onAskAgain={null}
    />
  );
}
