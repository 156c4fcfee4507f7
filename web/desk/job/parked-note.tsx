export const ParkedNote = () => (
  <div className="note turn" role="note">
    <strong>Parked.</strong> Five leases on this job ran out, so workers are no longer given it. Accept it and finish it
    yourself, or accept and release it to offer it to workers again.
  </div>
);
