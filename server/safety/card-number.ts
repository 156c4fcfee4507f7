// 13 to 19 digits, in one piece or in the groups printed on cards. Not after "+" (a phone number), "." (a
// fraction) or "/" (an id in a URL). Groups must not be part of a longer row of figures or an IBAN.
const gap = '[ \\u00a0–-]{1,2}';
const fours = `(?<!\\d{4}[ -])(?<![A-Z]{2}\\d\\d )\\d{4}(?:${gap}\\d{4}){3}(?!${gap}\\d{4})(?:${gap}\\d{1,3})?`;
const amex = `3\\d{3}${gap}\\d{6}${gap}\\d{4,5}`;
const candidate = new RegExp(`(?=\\d)(?<![\\p{L}\\p{N}_+./])(?:\\d{13,19}|${fours}|${amex})(?![\\p{L}\\p{N}_])`, 'gu');

// The networks and their lengths. Without them, one order number in ten would pass for a card.
const networks = [
  /4\d{12}(?:\d{3}){0,2}/,
  /(?:5[1-5]|2[2-7])\d{14}/,
  /3[47]\d{13}/,
  /3(?:0[0-5]|[689]\d)\d{11,16}/,
  /(?:6011|64[4-9]\d|65\d\d|62\d\d)\d{12,15}/,
  /35[2-8]\d{13,16}/,
  /(?:50(?:18|20|38)|5893|6304|6759|676[1-3])\d{9,15}/,
];
const network = new RegExp(`^(?:${networks.map(({ source }) => source).join('|')})$`);

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0;
}

export function hasCardNumber(text: string): boolean {
  for (const [match] of text.matchAll(candidate)) {
    const digits = match.replace(/\D/g, '');
    // Cards of 13 digits are nearly extinct, but product codes of 13 digits are everywhere.
    const plausible = digits.length > 13 || /\b(?:card|visa|cvc|cvv)\b/i.test(text);
    // The expiry date may follow the groups.
    const numbers = [digits, digits.slice(0, 16)];
    if (plausible && numbers.some((number) => network.test(number) && passesLuhn(number))) return true;
  }
  return false;
}
