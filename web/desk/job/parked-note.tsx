import type { DeskJob } from '../../app/api.ts';

const most = 3;

/** With the newest reasons that workers gave. */
export function ParkedNote({ job: { notes } }: { job: DeskJob }) {
  const reasons = notes.filter(({ created_by: by }) => by.kind === 'worker_key').slice(-most);
  return (
    <div className="note turn" role="note">
      <strong>Parked.</strong> Workers took this job five times and did not finish it, so they no longer get it. Accept
      it and finish it yourself, or accept it and put it back: workers then get it again.
      {reasons.length > 0 && (
        <ul aria-label="The last reasons" style={{ marginTop: 8 }}>
          {reasons.map(({ id, body, created_by: by }) => (
            <li key={id} className="prose">
              <bdi>{by.name}</bdi>: {body}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
