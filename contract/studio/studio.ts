import Type, { type Static } from 'typebox';
import { Closed, Nullable } from '../shapes.ts';

const picture = (what: string) => Nullable(Type.String(), `Path of ${what}, SVG or PNG; it changes with the picture.`);
const link = (what: string) => Nullable(Type.String(), `Address of ${what}.`);

/** What everybody may know of the studio; `studio.yaml` sets it. */
export const Studio = Closed(
  {
    name: Type.String({ description: 'At most 60 characters; `Atelier` unless the studio has set its own.' }),
    tagline: Nullable(Type.String(), 'One sentence of at most 140 characters.'),
    mark: picture('its mark; null for the one of Atelier'),
    mark_dark: picture('its mark on dark ground; null where `mark` serves'),
    icon: picture('its icon in a browser tab'),
    accent: Nullable(Type.String(), 'Its color as `#rrggbb`.'),
    support: Closed(
      { email: Nullable(Type.String(), 'An address to write to.'), url: link('its help') },
      { description: 'Where to ask for help.' },
    ),
    links: Closed(
      { terms: link('its terms'), privacy: link('its privacy notice'), imprint: link('its imprint') },
      { description: 'Its legal pages.' },
    ),
    mail_footer: Nullable(Type.String(), 'The last line of its mails.'),
  },
  { $id: 'Studio', description: 'Who runs this installation.' },
);
export type Studio = Static<typeof Studio>;
