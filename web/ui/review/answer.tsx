import './answer.css';

type Props = { isDone: boolean; note: string | null };

/** What became of a change, in the studio's words. */
export const Answer = ({ isDone, note }: Props) => (
  <p className="asked-answer">
    <strong>{isDone ? 'Done.' : 'Not done.'}</strong> <span dir="auto">{note}</span>
  </p>
);
