/** File names that are taken as they are: letters of every script, joiners, flags, marks. */
export const livingNames = [
  'می\u200cخواهم.png',
  'क्\u200dष.txt',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}.txt',
  'réseau 👩\u200d👩\u200d👧.csv',
  '❤\ufe0f.png',
  '葛\u{e0100}飾.txt',
  'Cafe\u0301.png',
  'Caf\u00e9.png',
  'סיכום\u200f (1).txt',
  'soft\u00adhyphen.txt',
  'ភាសា\u200bខ្មែរ.txt',
  'Apple \uf8ff.txt',
];

/** Names that hide or turn something. */
export const refusedNames = [
  'a\u202egnp.exe',
  '\u2066a.png',
  'two\u2028lines.png',
  'tagged\u{e0041}.png',
  '🏴\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}\u{e0020}\u{e0061}\u{e007f}.png',
  'bell\u0007.png',
  'c1\u009b2J.png',
];
