/** What is known about a brand, as its account wrote it. */
export const BrandFacts = ({ facts }: { facts: { label: string; text: string }[] }) =>
  facts.length > 0 && (
    <dl className="stack" style={{ gap: 12 }}>
      {facts.map(({ label, text }) => (
        <div key={label}>
          <dt className="small second">{label}</dt>
          <dd className="breaks" style={{ marginTop: 2, whiteSpace: 'pre-wrap' }} dir="auto">
            {text}
          </dd>
        </div>
      ))}
    </dl>
  );
