// Reads and prints JSON so that it is shown as it was recorded: numbers keep their digits and
// members their order, which JSON.parse changes (1.50, 12345678901234567890, {"2":…,"1":…}).

/** A number whose digits JavaScript would not print again. It computes as a number. */
export class ExactNumber extends Number {
  constructor(digits) {
    super(digits);
    this.digits = digits;
  }

  toString() {
    return this.digits;
  }
}

const ORDER = new WeakMap();

/** Reads a JSON text. Throws a SyntaxError when it is anything else. */
export function parse(text) {
  let at = 0;
  const value = readValue();
  space();
  if (at < text.length) {
    fail();
  }
  return value;

  function fail() {
    throw new SyntaxError(`no JSON at character ${at}`);
  }

  function space() {
    for (let c = text.charCodeAt(at); c === 32 || c === 10 || c === 13 || c === 9;) {
      at += 1;
      c = text.charCodeAt(at);
    }
  }

  function readValue() {
    space();
    switch (text[at]) {
      case '{': return readObject();
      case '[': return readArray();
      case '"': return readString();
      case 't': return word('true', true);
      case 'f': return word('false', false);
      case 'n': return word('null', null);
      default: return readNumber();
    }
  }

  function word(letters, meaning) {
    if (!text.startsWith(letters, at)) {
      fail();
    }
    at += letters.length;
    return meaning;
  }

  function readNumber() {
    const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    number.lastIndex = at;
    const digits = number.exec(text)?.[0];
    if (!digits) {
      fail();
    }
    at += digits.length;
    const plain = Number(digits);
    return String(plain) === digits ? plain : new ExactNumber(digits);
  }

  function readString() {
    const begin = at;
    at += 1;
    for (let c = text.charCodeAt(at); c !== 34; c = text.charCodeAt(at)) {
      if (at >= text.length) {
        fail();
      }
      at += c === 92 ? 2 : 1;
    }
    at += 1;
    return JSON.parse(text.slice(begin, at));
  }

  function readArray() {
    const array = [];
    at += 1;
    space();
    if (text[at] === ']') {
      at += 1;
      return array;
    }
    for (;;) {
      array.push(readValue());
      space();
      if (text[at] === ']') {
        at += 1;
        return array;
      }
      comma();
    }
  }

  function readObject() {
    const names = [];
    const object = {};
    at += 1;
    space();
    if (text[at] === '}') {
      at += 1;
      return object;
    }
    for (;;) {
      space();
      if (text[at] !== '"') {
        fail();
      }
      const name = readString();
      space();
      if (text[at] !== ':') {
        fail();
      }
      at += 1;
      define(object, name, readValue());
      names.push(name);
      space();
      if (text[at] === '}') {
        at += 1;
        if (names.some(it => /^\d/.test(it))) {
          ORDER.set(object, names);
        }
        return object;
      }
      comma();
    }
  }

  function comma() {
    if (text[at] !== ',') {
      fail();
    }
    at += 1;
  }
}

/** An own member, also where its name is `__proto__`. */
function define(object, name, value) {
  if (name === '__proto__') {
    Object.defineProperty(object, name, {value, enumerable: true, configurable: true, writable: true});
  } else {
    object[name] = value;
  }
}

/** The names of an object's members in the order in which they were recorded. */
export function names(object) {
  return ORDER.get(object) ?? Object.keys(object);
}

/** The text of a value; indented by two blanks a level, or in one line. */
export function print(value, isIndented = true, margin = '') {
  if (value instanceof ExactNumber) {
    return value.digits;
  }
  if (value === null || typeof value !== 'object') {
    return JSON.stringify(value) ?? 'null';
  }
  const isArray = Array.isArray(value);
  const inner = isIndented ? margin + '  ' : '';
  const parts = isArray
    ? value.map(it => print(it, isIndented, inner))
    : names(value).map(name =>
      JSON.stringify(name) + (isIndented ? ': ' : ':') + print(value[name], isIndented, inner));
  const [open, close] = isArray ? '[]' : '{}';
  if (parts.length === 0) {
    return open + close;
  }
  return isIndented
    ? `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${margin}${close}`
    : open + parts.join(',') + close;
}
