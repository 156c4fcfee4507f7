import { useQuery } from '@tanstack/react-query';
import { type Delivery, operationQuery, useOperation } from '../../app/api.ts';
import { askedBetween, askedInWords, withoutComments } from '../../app/asked-changes.ts';
import { useSession } from '../../app/session/session.tsx';
import type { AskedChange } from '../../ui/review/compare.ts';
import { CompareViewer } from '../../ui/review/compare-viewer.tsx';
import { fragmentOf } from '../../ui/review/place.ts';
import { failureSentence, notify } from '../../ui/page/page.tsx';
import { comparedDeliveries } from './delivered-files.ts';
import { NewerBar } from '../../ui/review/newer-bar.tsx';
import { type ModeProps, openCount, useBlocked } from './mode.ts';
import { ReviewMoves } from './review-moves.tsx';
import { useComments } from './use-comments.ts';

/** Two deliveries beside each other, with the studio's answers to what was asked for between them. */
export function CompareMode(props: ModeProps & { compared: Delivery }) {
  const { job, compared, delivery, fileId, onFile, onClose, onCompare } = props;
  const { data } = useQuery(operationQuery('listComments', { path: { id: job.id } }));
  const comments = data?.comments ?? [];
  const deliveries = comparedDeliveries(job);
  const [earlier, later] = [compared, delivery].map(({ round }) => deliveries.find((each) => each.round === round));
  const create = useOperation('createComment');
  const { view } = useSession();
  const blocked = useBlocked(props);
  const askAgain = ({ text, place }: AskedChange, id: string) =>
    create.mutate(
      { path: { id: job.id }, body: { file_id: id, text, at: place ? fragmentOf(place) : undefined } },
      {
        onSuccess: () => notify('It is a comment of this round now, with its place and words.'),
        onError: (error) => notify(failureSentence(error)),
      },
    );
  const { round } = delivery;
  const { stored, unsaved } = useComments(job.id, round, blocked === null);
  const moves = { job, round, ...openCount(stored), unsaved, blocked, onDecided: onClose };
  if (!earlier || !later) return null;
  return (
    <CompareViewer
      title={job.customer_title}
      deliveries={deliveries}
      earlier={earlier}
      later={later}
      onChoose={({ round }, id) => onCompare(round, id)}
      fileId={fileId}
      onFile={(id) => onCompare(compared.round, id)}
      changes={askedBetween(comments, earlier.round, later.round)}
      words={{ title: 'What you asked for', none: withoutComments }}
      instructions={askedInWords(job, earlier.round, later.round)}
      back={{ round: delivery.round, onGo: () => onCompare(null, fileId) }}
      actions={!view && <ReviewMoves {...moves} hasKeys />}
      phoneActions={!view && <ReviewMoves {...moves} isShort />}
      notice={
        <NewerBar newest={props.newest.round + 1} shown={round + 1} hasCome={props.hasCome} onLook={props.onNewest} />
      }
      onClose={onClose}
      onOpen={onFile}
      onAskAgain={blocked === null ? askAgain : null}
    />
  );
}
