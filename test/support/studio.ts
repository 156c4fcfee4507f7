const mark = (fill: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="12" fill="${fill}"/></svg>`;

/** The files of a studio with everything: an odd accent and a name of 60 characters. */
export const madeUpStudio = {
  'studio.yaml': `name: Wintergarten & Söhne, Werkstatt für Zeichnung, Satz und Film
tagline: Drawings that hold, set by hand.
mark: mark.svg
mark_dark: mark-dark.svg
icon: icon.svg
accent: "#8c1d6b"
support: { email: help@wintergarten.example, url: https://wintergarten.example/help }
links:
  terms: https://wintergarten.example/terms
  privacy: https://wintergarten.example/privacy
  imprint: https://wintergarten.example/imprint
mail_footer: Wintergarten & Söhne GmbH, Bahnhofstraße 1, Zürich
`,
  'mark.svg': mark('#8c1d6b'),
  'mark-dark.svg': mark('#f0b0dc'),
  'icon.svg': mark('#8c1d6b').replace('r="12"', 'r="10"'),
};
