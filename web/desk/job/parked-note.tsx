export const ParkedNote = () => (
  <div className="note turn" role="note">
    <strong>Parked.</strong> Five leases on this job have expired, so workers no longer get it. Accept it and finish it
    yourself, or accept and release it to offer it to workers again.
  </div>
);
