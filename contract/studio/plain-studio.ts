/** The name of a studio that has not set its own. */
export const defaultName = 'Atelier';

/** A studio without a face of its own. */
export const plainStudio = {
  name: defaultName,
  tagline: null,
  mark: null,
  mark_dark: null,
  icon: null,
  accent: null,
  support: { email: null, url: null },
  links: { terms: null, privacy: null, imprint: null },
  mail_footer: null,
};
