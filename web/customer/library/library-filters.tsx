import { Box, Select } from '@mantine/core';
import type { CountLibraryResponse, Member } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { BetweenDays } from '../../ui/form/between-days.tsx';
import { inView } from '../../ui/list/in-view.ts';
import { SearchField } from '../../ui/list/search-field.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { type LibraryAddress, viewOf } from './library.reads.ts';

const views = [
  { id: 'all', label: 'All' },
  { id: 'approved', label: 'Approved' },
  { id: 'mine', label: 'Mine' },
  { id: 'studio', label: 'From the studio' },
] as const;

/** Where the service stops counting. */
const most = 1_000;
const sayCount = (count: number | undefined) => (count === undefined || count < most ? count : `${most}+`);

type Props = { counts: CountLibraryResponse | undefined; members: Member[] };

export function Filters({ counts, members }: Props) {
  const [search, setAddress] = useAddress<LibraryAddress>();
  const { optionName } = useServiceNames();
  const services = (counts?.filters.services ?? []).map(({ service_family: family, service_type: type }) => ({
    value: `${family} ${type}`,
    label: optionName(family, type),
  }));
  const brands = (counts?.filters.brands ?? []).map((brand) => ({ value: brand, label: brand }));
  const people = members.map(({ user: { id, name } }) => ({ value: id, label: name }));
  const chooseService = (service: string | null) => {
    const [family, type] = service?.split(' ') ?? [];
    setAddress({ family, type });
  };
  const service = search.family && search.type ? `${search.family} ${search.type}` : '';
  return (
    <Box className="row library-filters" style={{ rowGap: 10 }}>
      <SearchField main width={250} label="Find a job or a file" value={search.q} onFind={(q) => setAddress({ q })} />
      <Box component="span" className="chips" m={0} miw={0} maw="100%">
        {views.map(({ id, label }) => (
          <button
            key={id}
            ref={viewOf(search) === id ? inView : undefined}
            type="button"
            className="chip"
            aria-pressed={viewOf(search) === id}
            onClick={() => setAddress({ view: id === 'approved' ? undefined : id })}
          >
            {label} <span className="count numbers">{sayCount(counts?.counts[id])}</span>
          </button>
        ))}
      </Box>
      <span className="push row">
        <Choice label="Every service" rows={services} value={service} onChange={chooseService} />
        <Choice
          label="Every brand"
          rows={brands}
          value={search.brand}
          onChange={(brand) => setAddress({ brand: brand ?? '' })}
        />
        <Choice
          label="Everybody"
          rows={people}
          value={search.person}
          onChange={(id) => setAddress({ person: id ?? '' })}
        />
        <BetweenDays verb="Approved" none="Any time" from={search.from} to={search.to} onChange={setAddress} />
      </span>
    </Box>
  );
}

type ChoiceProps = {
  label: string;
  rows: { value: string; label: string }[];
  value: string | undefined;
  onChange: (value: string | null) => void;
};

/** Left out while there is nothing to choose. */
const Choice = ({ label, rows, value = '', onChange }: ChoiceProps) =>
  (rows.length > 1 || value !== '') && (
    <Select
      size="xs"
      w={140}
      aria-label={label}
      data={[{ value: '', label }, ...rows]}
      value={value}
      onChange={(chosen) => onChange(chosen || null)}
    />
  );
