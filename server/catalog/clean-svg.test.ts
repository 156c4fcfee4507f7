import { expect, test } from 'vitest';
import { cleanSvg } from './clean-svg.ts';

const root = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">';
const around = (inside: string) => `${root}${inside}</svg>`;
const faultOf = (svg: string) => {
  const cleaned = cleanSvg(svg);
  return 'svg' in cleaned ? null : cleaned.message;
};

test('a drawing stays as it is', () => {
  const svg = around(
    '<title>A &amp; B</title><defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/></linearGradient></defs>' +
      '<style>@media (prefers-color-scheme: dark) { path { fill: url(#a) } }</style>' +
      '<path d="M0 0h8v8z" fill="url(#a)" style="opacity: .5"/><use href="#a"/>',
  );
  expect(cleanSvg(svg)).toEqual({ svg, takenOut: [] });
});

test('elements that drawing programs leave behind are dropped', () => {
  const drawn = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<!-- Made with a program -->
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:ink="http://ink.example" viewBox='0 0 8 8' ink:version="1">
<metadata><rdf:RDF><script>1</script></rdf:RDF></metadata><ink:view onload="x"/><use xlink:href="#a" data-name="b"/></svg>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">\n<use href="#a"/></svg>`;
  expect(cleanSvg(drawn)).toEqual({ svg, takenOut: [] });
});

test.each([
  ['a script', '<script>if (a < b && c) alert("</g>")</script><g/>', '<g/>', 'a <script>'],
  ['a script in capitals', '<SCRIPT href="//evil.example"/>', '', 'a <script>'],
  ['a script in CDATA', '<script><![CDATA[a[0] < 1]]></script>', '', 'a <script>'],
  ['what follows a script that ends early', '<script><![CDATA[</script><rect onload="x"/>', '<rect/>', 'a <script>'],
  ['an event handler', '<rect onload="alert(1)" x="1"/>', '<rect x="1"/>', 'the event handler onload'],
  ['an event handler in capitals', '<rect ONCLICK="alert(1)"/>', '<rect/>', 'the event handler ONCLICK'],
  ['a link, but not what it is around', '<a href="https://e.example" id="b"><g/></a>', '<g/>', 'a link'],
  ['a use of another file', '<use href="other.svg#a"/>', '<use/>', 'a link'],
  ['a use of another file, the old way', '<use xlink:href="//evil.example"/>', '<use/>', 'a link'],
])('taken out: %s', (_, inside, left, what) => {
  expect(cleanSvg(around(inside))).toEqual({ svg: around(left), takenOut: expect.arrayContaining([what]) });
});

test.each([
  ['a script without an end', '<script>alert(1)', 'ends before its last element does'],
  ['HTML', '<foreignObject/>', 'has a <foreignObject>'],
  ['a picture of its own', '<image href="data:image/png;base64,"/>', 'has a <image>'],
  ['an animation, which could change an address', '<set attributeName="href" to="x"/>', 'has a <set>'],
  ['a fill from elsewhere', '<rect fill="url( https://evil.example )"/>', 'refers to something outside itself'],
  ['a style from elsewhere', '<rect style="fill:URL(//evil.example)"/>', 'refers to something outside itself'],
  ['an escape that spells url', '<rect style="fill:u\\72l(x)"/>', 'has an escape in its style'],
  ['entities that spell url', '<rect style="fill:&#117;rl(x)"/>', 'refers to something outside itself'],
  ['an import', '<style>@import "x"</style>', 'has a rule in its style that is not @media'],
  ['an address in pieces', '<style>a{b:ur<!-- -->l(x)}</style>', 'refers to something outside itself'],
  [
    'an address in pieces of another kind',
    '<style>a{b:ur<![CDATA[l(x)]]>}</style>',
    'refers to something outside itself',
  ],
  ['an element in a style', '<style>a<g/></style>', 'has an element in its style'],
  ['an entity of its own', '<text>&x;</text>', 'has an entity'],
  ['a processing instruction', '<?xml-stylesheet href="x"?>', 'has a processing instruction'],
  ['an attribute twice', '<rect x="1" x="2"/>', 'is not well-formed XML'],
  ['an attribute without quotes', '<rect x=1/>', 'is not well-formed XML'],
  ['elements that cross', '<g><text></g></text>', 'is not well-formed XML'],
  ['another namespace', '<g xmlns="http://www.w3.org/1999/xhtml"/>', 'must be an <svg>'],
  ['copies of copies', '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>', 'which itself uses others'],
  ['depth', '<g>'.repeat(64) + '</g>'.repeat(64), 'is nested deeper than 64 elements'],
])('refused: %s', (_, inside, message) => {
  expect(faultOf(around(inside))).toContain(message);
});

test.each([
  ['declared entities', `<!DOCTYPE svg [<!ENTITY a "b">]>${around('')}`, 'declares entities'],
  ['HTML at its root', '<html/>', 'must be an <svg>'],
  ['two roots', around('') + around(''), 'has an element after its last'],
  ['an open end', root, 'ends before its last element does'],
  ['nothing', '', 'ends before its last element does'],
  ['text around it', `a${around('')}`, 'is not well-formed XML'],
  ['no size', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'needs a viewBox'],
  ['a character that XML does not allow', around('\u0000'), 'has characters that XML does not allow'],
])('refused: %s', (_, svg, message) => {
  expect(faultOf(svg)).toContain(message);
});

test('a fault says where it is', () => {
  expect(cleanSvg(around('<g/><image/>'))).toMatchObject({ offset: root.length + '<g/>'.length });
});
