import { describe, expect, test } from 'vitest';
import { decodeText, linesOf } from '../contract/files/decode-text.ts';

const bytesOf = (...values: number[]) => new Uint8Array(values);
const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const utf8 = (text: string) => new Uint8Array(Buffer.from(text));
const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));
const swapped = (bytes: Uint8Array) => new Uint8Array(Buffer.from(bytes).swap16());
const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

describe('the encoding of a text', () => {
  const words = 'Größe: 12,50 €\nCrème\n';
  test.each([
    ['UTF-8', utf8(words), 'utf-8'],
    ['UTF-8 with a mark', joined(bytesOf(0xef, 0xbb, 0xbf), utf8(words)), 'utf-8'],
    ['UTF-16 LE with a mark', joined(bytesOf(0xff, 0xfe), utf16(words)), 'utf-16le'],
    ['UTF-16 BE with a mark', joined(bytesOf(0xfe, 0xff), swapped(utf16(words))), 'utf-16be'],
    ['UTF-16 LE without a mark', utf16(words), 'utf-16le'],
    ['UTF-16 BE without a mark', swapped(utf16(words)), 'utf-16be'],
    ['what Excel writes', latin('Größe: 12,50 \x80\nCrème\n'), 'windows-1252'],
  ])('%s is detected and read', (_, bytes, encoding) => {
    expect(decodeText(bytes)).toEqual({ text: words, encoding, unreadable: 0, controls: 0 });
  });

  test('is UTF-16 also where few letters are Latin', () => {
    expect(decodeText(utf16('Цена хлеба за штуку')).text).toBe('Цена хлеба за штуку');
  });

  test('is the one that the file declares, if it is known', () => {
    const russian = (start: string) => decodeText(joined(latin(start), bytesOf(0xcf, 0xf0, 0xe8)));
    expect(russian('<?xml version="1.0" encoding="windows-1251"?>')).toMatchObject({ encoding: 'windows-1251' });
    expect(russian('<!doctype html><meta charset=windows-1251>').text).toContain('При');
    expect(russian('@charset "koi8-r";').encoding).toBe('koi8-r');
    for (const other of ['klingon', 'ibm866', 'utf-16le'])
      expect(russian(`<?xml encoding="${other}"?>`).encoding).toBe('windows-1252');
    expect(russian('the encoding="windows-1251"').encoding).toBe('windows-1252');
  });

  test('can be chosen', () => {
    const japanese = bytesOf(0x93, 0xfa, 0x96, 0x7b);
    expect(decodeText(japanese).encoding).toBe('windows-1252');
    expect(decodeText(japanese, { encoding: 'shift_jis' })).toMatchObject({ text: '日本', unreadable: 0 });
  });

  test('stays UTF-8 where few bytes of many are damaged, and they are counted', () => {
    const damaged = joined(utf8('ä'.repeat(20)), bytesOf(0xff, 0x0a));
    expect(decodeText(damaged)).toMatchObject({ encoding: 'utf-8', unreadable: 1 });
  });
});

test('bytes that cannot be read in the chosen encoding are counted', () => {
  expect(decodeText(latin('Müller;Köln;\x80'), { encoding: 'utf-8' })).toMatchObject({ unreadable: 3 });
  expect(decodeText(utf8('a replacement � that was written'))).toMatchObject({ encoding: 'utf-8', unreadable: 0 });
});

test('binary data in a text is counted; tabs, line ends and colours of a terminal are none', () => {
  expect(decodeText(latin('a\x00bc\x00\x01\x81')).controls).toBe(4);
  expect(decodeText(latin('a\tb\r\n\f\x1b[1mc\x1a')).controls).toBe(0);
});

describe('a text that is cut', () => {
  const cut = (bytes: Uint8Array) => decodeText(bytes, { isWhole: false });
  test('ends with a whole line, and half a character does not count', () => {
    const bytes = utf8('one\ntwo\nGröß');
    expect(cut(bytes.subarray(0, bytes.length - 1))).toMatchObject({ text: 'one\ntwo\n', encoding: 'utf-8' });
    expect(cut(utf8('one\rtw')).text).toBe('one\r');
  });
  test('of one line has as much of it as there are whole characters', () => {
    expect(cut(utf8('Grö').subarray(0, 3))).toMatchObject({ text: 'Gr', encoding: 'utf-8', unreadable: 0 });
    expect(cut(utf16('Grö').subarray(0, 5)).text).toBe('Gr');
  });
});

test('lines end as on any system, and the last end begins no line', () => {
  expect(linesOf('one\r\ntwo\rthree\n\nfive\n')).toEqual(['one', 'two', 'three', '', 'five']);
  expect(linesOf('')).toEqual(['']);
});
