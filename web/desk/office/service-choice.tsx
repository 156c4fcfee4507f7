import { Checkbox } from '@mantine/core';
import { useServiceNames } from '../../app/service-names.ts';

type Props = { description: string; value: string[]; onChange: (families: string[]) => void };

/** Of the families of the catalog. None stands for all. */
export function ServiceChoice(props: Props) {
  const { everyFamily } = useServiceNames();
  return (
    <Checkbox.Group label="Services" {...props}>
      <div className="stack-small" style={{ marginTop: 8 }}>
        {everyFamily.map((family) => (
          <Checkbox key={family.id} value={family.id} label={family.name} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
