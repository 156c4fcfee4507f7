import { ActionIcon, NativeSelect, UnstyledButton, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconPlus } from '../../ui/look/icons.ts';
import { useAddress } from '../../ui/page/address.ts';
import { AddButton } from './catalog-fields.tsx';
import type { Family } from './families.ts';
import { fileTypesId } from './file-types.ts';
import type { Draft } from './new-service.tsx';
import type { StudioAddress } from './spot.ts';

type ListProps = {
  families: Family[];
  /** `family`, `family/option` or `file-types`. */
  present: string;
  changed: ReadonlySet<string>;
  canEdit: boolean;
  onNew: (draft: Draft) => void;
};

/** Families with their services, then the types of files; as a choice on a phone. */
export function CatalogNav({ families, present, changed, canEdit, onNew }: ListProps) {
  const [, setAddress] = useAddress<StudioAddress>();
  const family = families.find(({ id }) => id === present.split('/')[0]);
  const choose = (service: string) => setAddress({ service });
  const option = (value: string, label: string) => ({
    value,
    label: `${label}${changed.has(value) ? ' (changed)' : ''}`,
  });
  const item = { present, changed, onChoose: choose };
  const newFamily = canEdit && <AddButton onClick={() => onNew({ family: null })}>New family</AddButton>;
  return (
    <>
      <nav className="stack wide-only" aria-label="Families and services">
        {families.map((family) => (
          <div key={family.id}>
            <div className="row" style={{ flexWrap: 'nowrap', gap: 0 }}>
              <NavItem {...item} id={family.id} isRetired={family.retired}>
                {family.name || family.id}
              </NavItem>
              {canEdit && (
                <ActionIcon aria-label={`New service in ${family.name || family.id}`} onClick={() => onNew({ family })}>
                  <IconPlus size={16} />
                </ActionIcon>
              )}
            </div>
            <ul>
              {family.services.map(({ id, name, retired }) => (
                <li key={id}>
                  <NavItem {...item} id={`${family.id}/${id}`} isRetired={family.retired || retired}>
                    {name || id}
                  </NavItem>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <span>{newFamily}</span>
        <NavItem {...item} id={fileTypesId}>
          File types
        </NavItem>
      </nav>
      <div className="phone-only stack-small">
        <NativeSelect
          aria-label="Family or service"
          value={present}
          onChange={({ currentTarget: { value } }) => choose(value)}
          data={[
            ...families.flatMap((family) => [
              option(family.id, family.name || family.id),
              ...family.services.map(({ id, name }) => option(`${family.id}/${id}`, `${family.name} · ${name || id}`)),
            ]),
            option(fileTypesId, 'File types'),
          ]}
        />
        {canEdit && family && (
          <span className="row">
            <AddButton onClick={() => onNew({ family })}>New service</AddButton>
            {newFamily}
          </span>
        )}
      </div>
    </>
  );
}

type ItemProps = {
  id: string;
  present: string;
  changed: ReadonlySet<string>;
  isRetired?: boolean;
  onChoose: (id: string) => void;
  children: ReactNode;
};

const NavItem = ({ id, present, changed, isRetired = false, onChoose, children }: ItemProps) => (
  <UnstyledButton
    className={id === present ? 'nav-link active' : 'nav-link'}
    w="100%"
    aria-current={id === present || undefined}
    onClick={() => onChoose(id)}
  >
    <span className={!id.includes('/') ? 'small' : isRetired ? 'third' : 'ink'}>{children}</span>
    {isRetired && <span className="third small push">retired</span>}
    {changed.has(id) && (
      <span className={isRetired ? 'turn' : 'turn push'}>
        <span aria-hidden>●</span>
        <VisuallyHidden>changed</VisuallyHidden>
      </span>
    )}
  </UnstyledButton>
);
