/** What is known about a brand, as its account wrote it. */
export const BrandFacts = ({ facts }: { facts: { label: string; text: string }[] }) =>
  facts.length > 0 && (
    <dl className="brand-facts">
      {facts.map(({ label, text }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd dir="auto">{text}</dd>
        </div>
      ))}
    </dl>
  );
