export const BigFigure = ({ term, value, detail }: { term: string; value: string; detail?: string | undefined }) => (
  <div>
    <dt>{term}</dt>
    <dd>
      {value} {detail && <small>{detail}</small>}
    </dd>
  </div>
);
