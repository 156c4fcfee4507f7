import { Link } from '@tanstack/react-router';
import { IconMessage } from '@tabler/icons-react';
import { customerPages } from '../../../contract/pages.ts';
import type { ServiceFamily } from '../../app/api.ts';
import { pathTo } from '../../ui/page/address.ts';
import { sayHours, sayRounds } from './option-words.ts';

export const ChooseService = ({ families }: { families: ServiceFamily[] }) => (
  <div className="families">
    {families.map((family) => (
      <section key={family.id} aria-labelledby={`family-${family.id}`}>
        <div className="row between">
          <h2 id={`family-${family.id}`}>{family.name}</h2>
          <Link to={pathTo(customerPages.concierge, {}, { family: family.id })} className="icon-line small">
            <IconMessage size={15} aria-hidden /> Talk it through
          </Link>
        </div>
        <p className="second small">{family.description}</p>
        <ul className="options">
          {family.service_options.map((option) => (
            <li key={option.id}>
              <Link to={pathTo(customerPages.newJob, {}, { family: family.id, type: option.id })} className="option">
                <strong>{option.name}</strong>
                <span className="second">{option.description}</span>
                <span className="third small">
                  First delivery within {sayHours(option.turnaround_hours)}
                  <br />
                  {sayRounds(option.revision_rounds)}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
);
